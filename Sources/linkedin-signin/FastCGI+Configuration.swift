import FastCGI
import HTTPClient
import SignIn

extension ServerOptions {
    /// The limits of the server, from the settings.
    init(_ listening: SignIn.Configuration.Listening) throws(FastCGIError) {
        self.init()
        if listening.workers > 0 { workers = listening.workers }
        parameterLimit = listening.maxParameters
        bodyLimit = listening.maxBody
        asksWithoutBody = true
        requestTimeout = .seconds(listening.requestTimeout)
        answerTimeout = .seconds(listening.requestTimeout)
        grace = .seconds(listening.stopGrace)
        if !listening.allowedUsers.isEmpty { peers = try PeerPolicy(users: listening.allowedUsers) }
    }
}

extension CurlTransport.Configuration {
    init(_ calling: SignIn.Configuration.Calling) {
        self.init()
        connectTimeout = .seconds(calling.connectTimeout)
        totalTimeout = .seconds(calling.totalTimeout)
        // The site admits no more. One on top, for a key set that is still on its way after the sign-in that asked for it
        // was cancelled: otherwise the next sign-in would find its call taken when its code is already spent.
        maximumCalls = calling.concurrentCalls + 1
        authorityFile = calling.caFile
    }

    /// For forms of this very site: what an application may take, where the provider must be quick.
    ///
    /// A minute is what nginx waits for an application by default. The answer is one page, and of the header nginx holds
    /// 32 KiB where it was told to.
    static func forms(_ calling: SignIn.Configuration.Calling) -> Self {
        var configuration = Self(calling)
        configuration.totalTimeout = .seconds(60)
        configuration.maximumCalls = 16
        configuration.maximumBodyBytes = 8 << 20
        configuration.maximumHeaderBytes = 30 << 10
        return configuration
    }
}
