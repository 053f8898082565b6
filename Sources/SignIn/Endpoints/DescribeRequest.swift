import HTTP
import Sessions

extension Site {
    /// Answers `POST /login` of `linkedin-signin doctor`: which variables arrived, and how much of query and body.
    ///
    /// - Returns: Nil for everyone who does not prove that they can read the server key.
    func describe(_ request: Request) throws -> Response? {
        guard request.method == .post, case .one(let proof) = request.cookies[OperatorProof.cookie],
            OperatorProof.isValid(proof, sealer, now: now())
        else { return nil }
        return try json(.ok, encoding: RequestDescription(request))
    }
}
