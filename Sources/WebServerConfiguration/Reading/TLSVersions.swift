/// The versions of TLS that configurations of web servers allow.
enum TLSVersions {
    /// The versions with which current browsers connect.
    private static let current: Set = ["TLSv1.2", "TLSv1.3"]

    /// Whether a list of versions has one with which current browsers connect.
    static func haveCurrent(_ versions: [String]) -> Bool { !current.isDisjoint(with: versions) }

    /// Whether a command of OpenSSL, such as `MaxProtocol`, leaves no version with which current browsers connect
    /// (SSL_CONF_cmd(3)).
    static func excludesCurrent(_ command: String, _ value: String) -> Bool {
        switch command {
        case "MaxProtocol": return ["SSLv3", "TLSv1", "TLSv1.1"].contains(value)
        case "Protocol":
            var allowed = current
            for word in value.split(separator: ",").map({ $0.filter { !$0.isWhitespace } }) {
                let name = word.drop { $0 == "+" || $0 == "-" }
                let named = name == "ALL" ? current : current.intersection([String(name)])
                allowed = word.hasPrefix("-") ? allowed.subtracting(named) : allowed.union(named)
            }
            return allowed.isEmpty
        default: return false
        }
    }

    /// The effect of a line with which no current browser can connect, and what to do, for the end of a message.
    static let exclusion =
        "allows only versions of TLS that no current browser uses, so browsers cannot connect to the pages of linkedin-signin, and "
        + "nobody can sign in. Allow TLSv1.2 and TLSv1.3 in this line, or remove this line"
}

/// The sizes of requests that a web server accepts, in bytes.
struct RequestSizes {
    /// The address with which a browser asks for a page.
    let address: Int
    /// The address, the cookies and the other fields that browsers send.
    let header: Int

    /// The longest requests of sign-ins, whose addresses have a long return path and some parameters.
    private static let longest = RequestSizes(address: 2_048, header: 4_096)
    /// Requests of most sign-ins, which have the code of the provider and few cookies.
    private static let usual = RequestSizes(address: 512, header: 1_536)

    private func isBelow(_ other: RequestSizes) -> Bool { address < other.address || header < other.header }

    /// Finds a line with which a web server rejects requests of sign-ins: a warning if it rejects only long ones.
    func check(_ line: String, at place: SourcePlace, remedy: String, _ review: inout ServerReview) {
        guard isBelow(Self.longest) else { return }
        let isForAll = isBelow(Self.usual)
        let status = review.server == .nginx ? "414 or 400" : "431"
        review.complain(
            place,
            "\(line) makes \(review.server.rawValue) reject \(isForAll ? "" : "long ")requests of sign-ins with \(status), because "
                + "the address of a sign-in has up to \(Self.longest.address) bytes, and the address, the cookies and the other "
                + "fields of a browser together have up to \(Self.longest.header) bytes. \(remedy)",
            isCertain: isForAll
        )
    }
}
