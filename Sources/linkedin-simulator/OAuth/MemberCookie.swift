/// The cookie that keeps a member signed in at the simulator until the browser closes.
enum MemberCookie {
    private static let name = "simulated-member"

    /// The member who is signed in; nil if none is.
    static func member(of request: Request) -> Member? {
        let cookies = (request.headers["cookie"] ?? "").split { $0 == ";" || $0 == " " }
        let value = cookies.first { $0.hasPrefix("\(name)=") }?.dropFirst(name.count + 1)
        return value.flatMap { Int($0) }.flatMap(Members.number)
    }

    /// The value of `Set-Cookie`.
    static func header(for member: Member) -> String {
        "\(name)=\(member.number); Path=/; HttpOnly; SameSite=Lax"
    }
}
