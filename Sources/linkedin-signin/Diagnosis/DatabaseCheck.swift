import Diagnosis
import Encoding
import PostgreSQLStore
import Sessions
import Settings

import struct FoundationEssentials.Date

/// What `serve` would find in the database.
enum DatabaseCheck {
    /// Enough to find that one host acknowledges no write, and to look at three others that do not answer.
    private static let proofLimit = Duration.seconds(8)

    /// Looks at the tables, the rights, the keys, the owner and the clock.
    ///
    /// - Parameters:
    ///   - settings: Where the database is.
    ///   - baseURL: The address of the site; nil if it is not known.
    ///   - site: The site of the settings; nil for settings at another place.
    /// - Returns: The findings.
    static func run(_ settings: Configuration.Database, of baseURL: String?, _ site: InstalledSite?) -> Report {
        var report = Report()
        do throws(StartFailure) {
            let database = try Database(settings)
            do throws(StoreError) {
                report += try wait { () async throws(StoreError) in try await survey(database, baseURL, site) }
            } catch {
                report += fault(error.advice)
            }
        } catch {
            report += fault(Advice(error.description))
        }
        if report.problems.isEmpty { report += Report(passed: Setting.store.name, "the database answers") }
        return report
    }

    private static func fault(_ advice: Advice, _ setting: Setting = Setting.store) -> Report {
        Report(
            problems: [.init(subject: setting.name, advice)],
            .storeUnusable,
            causing: .noStart.union([.setting(Setting.store.name)])
        )
    }

    private static func survey(
        _ database: Database,
        _ baseURL: String?,
        _ site: InstalledSite?
    ) async throws(StoreError) -> Report {
        var report = Report()
        let client = database.client
        let version = try await Schema.version(in: client)
        // First: what a former primary says is old.
        if version == Schema.version { try await client.findPrimary(within: proofLimit) }
        if let problem = Database.problem(ofVersion: version) {
            report += fault(problem)
        } else {
            let missing = try await Schema.missingRights(in: client)
            if let problem = Database.problem(ofMissingRights: missing) {
                report += fault(problem)
            } else if let baseURL, let owner = try await DatabaseSite(client).read(), owner != baseURL {
                let difference = StoreOwnership.Difference(directory: nil, owner: owner)
                report += fault(Advice(difference.problem(baseURL, of: site)), Setting.baseURL)
            }
            do throws(StoreError) {
                try await database.sharedKeys?.verify()
            } catch {
                report += fault(error.advice, Setting.storeKey)
            }
        }
        let before = Date()
        let server = try await DatabaseFacts(client)
        let off = max(before.timeIntervalSince(server.time), server.time.timeIntervalSince(Date()))
        if off > 2 {
            let what =
                "the clock of the database and the clock of this machine differ by \(Int(off)) s: sessions end by the "
                + "clock of each machine; run an NTP client on both"
            report += fault(Advice(what))
        }
        report += Report(.storeNote, about: Setting.store.name, notes: notes(server))
        await client.shutdown()
        return report
    }

    private static func notes(_ server: DatabaseFacts) -> [String] {
        var notes: [String] = []
        if server.isSuperuser { notes.append("the role is a superuser; serve needs far fewer rights") }
        if !server.commitsDurably {
            notes.append("synchronous_commit is off: a crash of the database can undo the last sign-outs")
        } else if !server.isSynchronous {
            notes.append(
                "synchronous replication is off: if a standby takes over, the last sign-ins and sign-outs before that "
                    + "are lost, and a session that was signed out can come back"
            )
        }
        return notes.map { "\(Setting.store.name): \($0)" }
    }
}
