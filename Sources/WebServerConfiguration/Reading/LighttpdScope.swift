import Settings

/// A block of lighttpd's configuration with those around it and its place in the order.
struct LighttpdScope {
    /// The outermost first, the block itself last.
    let chain: [LighttpdBlock]
    /// Conditions are tried in this order, and of those that hold the last one counts.
    let order: Int

    var block: LighttpdBlock { chain[chain.count - 1] }
    var place: SourcePlace { block.place }
    var text: String { block.text }

    /// The setting of a name that holds here if no condition beside it does.
    func effective(_ name: String) -> LighttpdBlock.Setting? {
        chain.lazy.reversed().compactMap { $0.setting(name) }.first
    }

    /// Every block, the outermost first, in the order of the file.
    static func all(_ root: LighttpdBlock) -> [LighttpdScope] {
        var result: [LighttpdScope] = []
        func add(_ block: LighttpdBlock, within chain: [LighttpdBlock]) {
            result.append(LighttpdScope(chain: chain + [block], order: result.count))
            for inner in block.blocks { add(inner, within: chain + [block]) }
        }
        add(root, within: [])
        return result
    }

    /// Where requests go that a gateway takes here: each address with whether it only authorizes.
    func gateways(_ setting: String) -> [(address: String, isAuthorizer: Bool, place: SourcePlace)] {
        guard let setting = block.setting(setting) else { return [] }
        return setting.value.members.flatMap { $0.value.members }.map { host in
            let socket = host.value["socket"]?.text
            let port = [host.value["host"]?.text, host.value["port"]?.text].compactMap(\.self).joined(separator: ":")
            return (socket ?? port, host.value["mode"]?.text == "authorizer", setting.place)
        }
    }

    /// The paths of its conditions, as far as they say how a path begins.
    var prefix: String {
        let urls = chain.compactMap(\.condition).filter(\.isURL)
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

    /// Whether both can hold for one request, by what their conditions say of hosts.
    func mayMeet(_ other: LighttpdScope) -> Bool {
        let hosts: (LighttpdScope) -> [LighttpdCondition] = { scope in
            scope.chain.compactMap(\.condition).filter {
                $0.variable == "HTTP" && $0.key == "host" && $0.comparison == "=="
            }
        }
        return hosts(self).allSatisfy { one in hosts(other).allSatisfy { $0.value == one.value } }
    }
}
