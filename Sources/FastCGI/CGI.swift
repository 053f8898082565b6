import CFCGI
import Glibc
package import HTTP

/// Plain CGI: a process that answers one request and ends (RFC 3875).
///
/// libfcgi tells this way of being started from FastCGI's, but its streams are made of records only; so the same
/// translation and the same writer work on the environment and the standard streams here.
package enum CGI {
    /// The process was started for one request: there are meta-variables, and descriptor 0 is no listening socket.
    package static var isCGI: Bool {
        // libfcgi starts itself when it is asked, but would take signals over.
        guard Listener.processEnvironment("GATEWAY_INTERFACE") != nil, (try? Library.start()) != nil else {
            return false
        }
        return FCGX_IsCGI() != 0
    }

    /// Answers the one request; a handler that throws is answered for with 500.
    ///
    /// - Parameters:
    ///   - configuration: Only the limits of body and answer header count.
    ///   - handler: Answers the request.
    ///   - events: Is told what the operator may want to know.
    package static func answer(
        configuration: Configuration = Configuration(),
        handler: Handler,
        events: @Sendable (ServerEvent) -> Void = { _ in }
    ) async {
        await answer(
            variables: environment(),
            input: 0,
            output: 1,
            configuration: configuration,
            handler: handler,
            events: events
        )
    }

    /// As above, with the variables (`NAME=value`) and descriptors of one's own.
    static func answer(
        variables: [[UInt8]],
        input: Int32,
        output: Int32,
        configuration: Configuration,
        handler: Handler,
        events: @Sendable (ServerEvent) -> Void
    ) async {
        let id = RequestID()
        var method = Method.get
        let response: Response
        var builder = CGIRequest()
        for variable in variables { builder.add(variable.span) }
        do {
            let body = try read(input, length: length(variables), limit: configuration.bodyLimit)
            let request = try builder.request(id: id, role: .responder, body: body)
            method = request.method
            response = try await handler(request)
        } catch let error as CGIRequestError {
            events(.rejected(id, error.reason, remoteAddress: builder.remoteAddress))
            response = CGIResponse.plain(error.reason == .bodyTooLarge ? .contentTooLarge : .badRequest)
        } catch {
            events(.handlerFailed(id, errorType: "\(type(of: error))"))
            response = CGIResponse.plain(.internalServerError)
        }
        let limit = response.hasForeignHeader ? configuration.foreignHeaderLimit : configuration.answerHeaderLimit
        var outgoing = Outgoing(
            CGIResponse.encode(response, to: method, id: id, limit: limit, tell: events),
            keepsConnection: false
        )
        _ = outgoing.write(to: output)
    }

    /// The bytes that the server says the body has (RFC 3875 §4.1.2); none if it does not say.
    private static func length(_ variables: [[UInt8]]) -> Int {
        let name = Array("CONTENT_LENGTH=".utf8)
        let value = variables.last { $0.starts(with: name) }?.dropFirst(name.count)
        return value.flatMap { Int(String(decoding: $0, as: UTF8.self)) } ?? 0
    }

    private static func read(_ input: Int32, length: Int, limit: Int) throws(CGIRequestError) -> [UInt8] {
        guard length <= limit else { throw CGIRequestError(.bodyTooLarge) }
        guard length > 0 else { return [] }
        var body = [UInt8](repeating: 0, count: length)
        var have = 0
        while have < length {
            // unsafe because the system call writes through a pointer within the array's bounds.
            let count = unsafe body.withUnsafeMutableBytes { buffer in
                let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[have...])
                return unsafe Glibc.read(input, rest.baseAddress, rest.count)
            }
            if count > 0 { have += count } else if count == 0 || errno != EINTR { break }
        }
        return Array(body.prefix(have))
    }

    private static func environment() -> [[UInt8]] {
        var variables: [[UInt8]] = []
        // unsafe because the environment is an array of C strings that ends with a null pointer, copied at once.
        var next = unsafe environ
        while let variable = unsafe next.pointee {
            unsafe variables.append(Array(UnsafeRawBufferPointer(start: variable, count: strlen(variable))))
            unsafe next += 1
        }
        return variables
    }
}
