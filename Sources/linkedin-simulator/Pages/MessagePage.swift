/// One sentence, when there is nowhere to send the visitor.
struct MessagePage: Sendable {
    let status: Int
    let message: String

    var response: Response {
        Page(status: status, title: "Something went wrong", content: "<h1>Something went wrong</h1>\n<p>\(message)</p>")
            .response
    }
}
