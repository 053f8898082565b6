import HTTP
import Sessions
import Settings

/// Answers `POST /login` of `linkedin-signin doctor`.
struct RequestDescriber: SiteFeature {
    let context: SiteContext
    /// What the site was made from.
    let settings: SettingTexts

    /// Says which variables arrived, how much of query and body, and which settings the program has.
    ///
    /// - Returns: Nil for everyone who does not prove that they can read the server key.
    func describe(_ request: Request) throws -> Response? {
        guard request.method == .post, case .one(let proof) = request.cookies[OperatorProof.cookie],
            OperatorProof.isValid(proof, sealer, now: now())
        else { return nil }
        let settings = try OperatorProof.seal(OperatorProof.hashes(of: settings.texts), sealer)
        return try answers.json(.ok, encoding: RequestDescription(request, settings: settings))
    }
}
