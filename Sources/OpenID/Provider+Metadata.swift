extension Provider {
    /// A provider as it describes itself: a nonce always, PKCE if it is offered.
    ///
    /// - Parameters:
    ///   - metadata: its document.
    ///   - scopes: what to ask for.
    package init(_ metadata: ProviderMetadata, scopes: [String]) {
        self.init(
            issuers: [metadata.issuer],
            authorizationEndpoint: metadata.authorizationEndpoint,
            tokenEndpoint: metadata.tokenEndpoint,
            userinfoEndpoint: metadata.userinfoEndpoint,
            jwksURI: metadata.jwksURI,
            scopes: scopes,
            clientAuthentication: metadata.clientAuthentication,
            usesPKCE: metadata.supportsPKCE,
            requiresIssuerParameter: metadata.sendsIssuerParameter,
            idTokenAlgorithms: metadata.idTokenAlgorithms
        )
    }
}
