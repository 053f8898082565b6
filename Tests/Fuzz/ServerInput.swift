@testable import SignIn

/// What a web server prints of its configuration: every text is reviewed, and what is found has a place and a reason.
enum ServerInput {
    static func take(_ input: [UInt8]) {
        let text = String(decoding: input, as: UTF8.self)
        for server in WebServer.allCases {
            let review = ServerReview(text, from: "file", of: server)
            precondition(
                !(review.problems + review.notes).isEmpty || text.count > 100,
                "nothing is said of next to nothing"
            )
            for finding in review.problems + review.notes {
                let line = finding.subject.split(separator: ":").last.flatMap { Int($0) }
                precondition(line.map { $0 >= 1 } ?? false, "no line")
                precondition(!finding.message.isEmpty, "no reason")
            }
        }
    }
}
