/// A web server that this program supports.
package enum WebServer: String, CaseIterable, Sendable {
    case nginx, lighttpd
}
