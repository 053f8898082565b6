import HTTP
import Sessions
import TestSupport

@testable import SignIn

/// A site whose store can fail, with members who sign in.
struct FaultyStoreSite {
    let faults = Faults()
    let test: TestSite

    init() throws {
        let faults = faults
        test = try TestSite(files: FileSystem { faults.number(for: $0) })
    }

    func member(_ name: String = "alice") async throws -> TestBrowser {
        var browser = TestBrowser(test)
        try await browser.signIn(as: name)
        return browser
    }

    func isSignedIn(_ browser: TestBrowser) async throws -> Bool {
        var browser = browser
        return try await browser.send(.get, "/profile", headers: [(.accept, "application/json")]).status == .ok
    }
}
