import Settings

/// A block in the configuration of lighttpd, with the blocks around it and its position.
struct LighttpdScope {
    /// The outermost block first, the block itself last.
    let chain: [LighttpdBlock]
    /// The position in the file; of the conditions that apply, lighttpd uses the last one.
    let order: Int

    var block: LighttpdBlock { chain[chain.count - 1] }
    var place: SourcePlace { block.place }
    var text: String { block.text }

    /// The setting with a name that is in force here if no other condition applies.
    func effective(_ name: String) -> LighttpdBlock.Setting? {
        chain.lazy.reversed().compactMap { $0.setting(name) }.first
    }

    /// All blocks in the order of the file, each before the blocks inside it.
    static func all(_ root: LighttpdBlock) -> [LighttpdScope] {
        chains(from: [root]).enumerated().map { LighttpdScope(chain: $1, order: $0) }
    }

    private static func chains(from chain: [LighttpdBlock]) -> [[LighttpdBlock]] {
        [chain] + chain[chain.count - 1].blocks.flatMap { chains(from: chain + [$0]) }
    }

    /// The hosts of `fastcgi.server` here: each address, and whether the host is an authorizer.
    var gateways: [(address: String, isAuthorizer: Bool)] {
        guard let setting = block.setting("fastcgi.server") else { return [] }
        return setting.value.members.flatMap { $0.value.members }.map { host in
            let socket = host.value["socket"]?.text
            let port = [host.value["host"]?.text, host.value["port"]?.text].compactMap(\.self).joined(separator: ":")
            return (socket ?? port, host.value["mode"]?.text == "authorizer")
        }
    }

    var addresses: [String] { gateways.map(\.address) }

    /// The addresses that a guard here asks.
    var asked: Set<String> { Set(gateways.filter(\.isAuthorizer).map(\.address)) }

    /// The only path to which the condition of the block applies; nil if it is not a condition on exactly one path.
    var onlyPath: String? { block.condition.flatMap { $0.isURL && $0.comparison == "==" ? $0.value : nil } }

    /// Whether it has the pages of linkedin-signin.
    var isOfPages: Bool {
        guard let condition = block.condition, condition.isURL else { return false }
        return condition.value.contains("oauth") && gateways.contains { !$0.isAuthorizer }
    }

    /// The literal prefix of the paths to which its conditions apply.
    var prefix: String {
        let urls = conditions.filter(\.isURL)
        for condition in urls.reversed() {
            switch condition.comparison {
            case "=^", "==": return condition.value
            case "=~" where condition.value.hasPrefix("^"):
                return String(condition.value.dropFirst().prefix { !"([.*+?|$\\{".contains($0) })
            default: continue
            }
        }
        return "/"
    }

    /// Whether its conditions on the path may hold for a path with a prefix.
    func mayHold(below prefix: String) -> Bool { conditions.allSatisfy { $0.mayHold(below: prefix) } }

    /// Whether both are meant for one host, judged by their conditions for exactly one host.
    func mayMeet(_ other: LighttpdScope) -> Bool {
        hosts.allSatisfy { one in other.hosts.allSatisfy { $0.value == one.value } }
    }

    /// Whether both can apply to one request, judged by all conditions on the host.
    ///
    /// Not for a guard and the pages that an operator wrote for it: a guard that never applies is a mistake to report.
    func mayApply(with other: LighttpdScope) -> Bool {
        hosts.allSatisfy { other.mayHold(forHost: $0.value) } && other.hosts.allSatisfy { mayHold(forHost: $0.value) }
    }

    private func mayHold(forHost host: String) -> Bool {
        conditions.filter(\.isHost).allSatisfy { $0.mayHold(forHost: host) }
    }

    var conditions: [LighttpdCondition] { chain.flatMap { $0.excluded + [$0.condition].compactMap(\.self) } }

    /// The conditions for exactly one host.
    var hosts: [LighttpdCondition] { conditions.filter { $0.isHost && $0.comparison == "==" } }
}

extension [LighttpdScope] {
    /// The blocks with a setting of a name, each with the last one there.
    func having(_ name: String) -> [(scope: LighttpdScope, setting: LighttpdBlock.Setting)] {
        compactMap { scope in scope.block.setting(name).map { (scope, $0) } }
    }

    /// The scopes with their places, for messages.
    var names: String { map { "\($0.text) (\($0.place))" }.joined(separator: ", ") }
}
