import Settings
import WebServerConfiguration

/// A web server's configuration: any text can be reviewed, and every finding has a line and a message.
enum ServerInput {
    static func take(_ input: [UInt8]) {
        let text = String(decoding: input, as: UTF8.self)
        for server in WebServer.allCases {
            let review = ServerReview(text, from: "file", of: server)
            precondition(
                !(review.problems + review.notes).isEmpty || text.count > 100,
                "a nearly empty configuration has no findings"
            )
            for finding in review.problems + review.notes {
                let line = finding.subject.split(separator: ":").last.flatMap { Int($0) }
                precondition(line.map { $0 >= 1 } ?? false, "a finding has no line")
                precondition(!finding.message.isEmpty, "a finding has no message")
            }
        }
    }
}
