import OpenID
import Sessions

extension Site {
    /// A member as each accepted issuer names them, first as given: LinkedIn has two issuers, and a member has the same
    /// subject with both.
    ///
    /// Only as given if that issuer is not accepted any more.
    func acceptedIdentities(of member: Identity) -> [Identity] {
        let issuers = client.provider.issuers
        guard issuers.contains(member.issuer) else { return [member] }
        return [member]
            + Set(issuers).subtracting([member.issuer]).sorted().map { issuer in
                var identity = member
                identity.issuer = issuer
                return identity
            }
    }
}
