/// A web server that this program can stand behind.
package enum WebServer: String, CaseIterable, Sendable {
    case nginx, lighttpd
}
