import FastCGI
import HTTPClient
import SignIn

extension FastCGI.Configuration {
    /// The server's bounds, as the operator set them.
    init(_ listening: SignIn.Configuration.Listening) throws(FastCGIError) {
        self.init()
        if listening.workers > 0 { workers = listening.workers }
        parameterLimit = listening.maxParameters
        bodyLimit = listening.maxBody
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
        maximumCalls = calling.concurrentCalls
        authorityFile = calling.caFile
    }
}
