import Glibc
package import HTTP
import POSIX

/// Plain CGI: a process that answers one request and ends (RFC 3875).
///
/// libfcgi recognizes a process that was started this way, but its streams support only FastCGI records. So this type
/// applies the same translation and the same writer to the environment and the standard streams.
package enum CGI {
    /// Whether the process was started for one request: there are meta-variables, and descriptor 0 is not a listening socket.
    package static var isCGI: Bool {
        // `start` first, because libfcgi would otherwise initialize itself and replace signal handlers.
        guard Environment.variable("GATEWAY_INTERFACE") != nil, (try? Library.start()) != nil else { return false }
        return Library.isCGI
    }

    /// Answers the one request; with 500 if the handler throws.
    ///
    /// - Parameters:
    ///   - options: Only the limits of the body and of the answer header are used.
    ///   - handler: Answers the request.
    ///   - events: Receives what an operator may want to know.
    package static func answer(
        options: ServerOptions = ServerOptions(),
        handler: Handler,
        events: @Sendable (ServerEvent) -> Void = { _ in }
    ) async {
        await answer(
            variables: environment(),
            input: 0,
            output: 1,
            options: options,
            handler: handler,
            events: events
        )
    }

    /// As above, with these variables (`NAME=value`) and descriptors.
    static func answer(
        variables: [[UInt8]],
        input: Int32,
        output: Int32,
        options: ServerOptions,
        handler: Handler,
        events: @Sendable (ServerEvent) -> Void
    ) async {
        var method = Method.get
        let response: Response
        var builder = CGIRequest()
        for variable in variables { builder.add(variable.span) }
        let id = builder.id ?? RequestID()
        do {
            let body = try read(input, length: length(variables), limit: options.bodyLimit)
            var request = try builder.request(id: id, role: .responder, body: body)
            CGIRequest.addAuthorization(to: &request, at: options.authorizationPath) { add in
                for variable in variables { add(variable.span) }
            }
            CGIRequest.countVariables(of: &request, at: options.describedPath) { add in
                for variable in variables { add(variable.span) }
            }
            method = request.method
            response = try await handler(request)
        } catch let error as CGIRequestError {
            events(.rejected(id, error.reason, remoteAddress: builder.remoteAddress))
            response = CGIResponse.plain(error.reason == .bodyTooLarge ? .contentTooLarge : .badRequest)
        } catch {
            events(.handlerFailed(id, errorType: "\(type(of: error))"))
            response = CGIResponse.plain(.internalServerError)
        }
        let limit = response.hasForeignHeader ? options.foreignHeaderLimit : options.answerHeaderLimit
        var bytes: [UInt8] = []
        _ = CGIResponse.encode(response, to: method, id: id, limit: limit, into: &bytes, tell: events)
        // A web server that closed its end wants no answer.
        try? FileDescriptor.write(bytes, to: output)
    }

    /// The length of the body that the web server states, in bytes (RFC 3875 §4.1.2); 0 if it states none.
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
            // unsafe because the call writes through a pointer within the bounds of the array.
            let count = unsafe body.withUnsafeMutableBytes { buffer in
                let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[have...])
                return unsafe Glibc.read(input, rest.baseAddress, rest.count)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            have += count
        }
        return Array(body.prefix(have))
    }

    private static func environment() -> [[UInt8]] {
        var variables: [[UInt8]] = []
        // unsafe because the environment is an array of C strings that ends with a null pointer; they are copied.
        var next = unsafe environ
        while let variable = unsafe next.pointee {
            unsafe variables.append(Array(UnsafeRawBufferPointer(start: variable, count: strlen(variable))))
            unsafe next += 1
        }
        return variables
    }
}
