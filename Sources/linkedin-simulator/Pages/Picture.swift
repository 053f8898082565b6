/// `GET /dms/image/{number}/…`: a drawn portrait.
enum Picture {
    static func path(of member: Member) -> String {
        "/dms/image/\(member.number)/"
    }

    @Sendable
    static func answer(_ request: Request) async -> Response {
        let parts = request.path.split(separator: "/")
        guard parts.count > 2, let number = Int(parts[2]), let member = Members.number(number), member.hasPicture else {
            return Response(404)
        }
        let image: HTML = """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100" width="100" height="100">
            <rect width="100" height="100" fill="hsl(\(number * 67 % 360) 45% 70%)"/>
            <circle cx="50" cy="40" r="19" fill="hsl(\(number * 67 % 360) 45% 30%)"/>
            <path d="M12 100a38 36 0 0 1 76 0z" fill="hsl(\(number * 67 % 360) 45% 30%)"/>
            </svg>

            """
        return .text(image.text, type: "image/svg+xml")
    }
}
