import PostgreSQLStore
import Sessions
import Settings

import struct FoundationEssentials.Date

extension Database {
    /// What `serve` would find in the database.
    ///
    /// - Parameters:
    ///   - settings: Where the database is.
    ///   - baseURL: The address of the site; nil if it is not known.
    /// - Returns: The findings.
    static func findings(_ settings: Configuration.Database, of baseURL: String?) -> Check.Findings {
        do throws(StartFailure) {
            let database = try Database(settings)
            return try database.client.findings(database.sharedKeys, baseURL)
        } catch {
            return Check.Findings(problems: [.init(subject: Setting.store.name, message: error.description)])
        }
    }
}

extension DatabaseClient {
    fileprivate func findings(_ keys: SharedKeys?, _ baseURL: String?) throws(StartFailure) -> Check.Findings {
        do throws(StoreError) {
            return try wait { () async throws(StoreError) in try await self.survey(keys, baseURL) }
        } catch {
            return Check.Findings(problems: [.init(subject: Setting.store.name, message: error.detail)])
        }
    }

    /// Enough to find that one host acknowledges no write, and to look at three others that do not answer.
    private static let proofLimit = Duration.seconds(8)

    private func survey(_ keys: SharedKeys?, _ baseURL: String?) async throws(StoreError) -> Check.Findings {
        var findings = Check.Findings()
        func complain(_ message: String) {
            findings.problems.append(.init(subject: Setting.store.name, message: message))
        }
        let version = try await Schema.version(in: self)
        // First: what a former primary says is old.
        if version == Schema.version { try await findPrimary(within: Self.proofLimit) }
        if let problem = Database.problem(ofVersion: version) {
            complain(problem)
        } else {
            let missing = try await Schema.missingRights(in: self)
            if let problem = Database.problem(ofMissingRights: missing) {
                complain(problem)
            } else if let baseURL, let owner = try await DatabaseSite(self).read(), owner != baseURL {
                let difference = StoreOwnership.Difference(place: "database", owner: owner)
                findings.problems.append(.init(subject: Setting.baseURL.name, message: difference.problem(baseURL)))
            }
            do throws(StoreError) {
                try await keys?.verify()
            } catch {
                findings.problems.append(.init(subject: Setting.storeKey.name, message: error.detail))
            }
        }
        let before = Date()
        let server = try await DatabaseFacts(self)
        let off = max(before.timeIntervalSince(server.time), server.time.timeIntervalSince(Date()))
        if off > 2 {
            complain(
                "the clock of the database and the clock of this machine differ by \(Int(off)) s: sessions end by the "
                    + "clock of each machine; run an NTP client on both"
            )
        }
        findings.notes = server.notes.map { "\(Setting.store.name): \($0)" }
        await shutdown()
        return findings
    }
}

extension DatabaseFacts {
    fileprivate var notes: [String] {
        var notes: [String] = []
        if isSuperuser { notes.append("the role is a superuser; serve needs far fewer rights") }
        if !commitsDurably {
            notes.append("synchronous_commit is off: a crash of the database can undo the last sign-outs")
        } else if !isSynchronous {
            notes.append(
                "synchronous replication is off: if a standby takes over, the last sign-ins and sign-outs before that "
                    + "are lost, and a session that was signed out can come back"
            )
        }
        return notes
    }
}
