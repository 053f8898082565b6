/// What answers requests: the one point where a site meets its transport.
///
/// A handler that throws has no answer; the transport then denies with 500 in every role.
package typealias Handler = @Sendable (Request) async throws -> Response
