import POSIX
import PostgreSQLStore
import Sessions
import Settings

import struct FoundationEssentials.Date
import class FoundationEssentials.FileManager

/// The server keys, as `doctor` reads them.
enum OperatorKeys {
    /// The cookie that makes the program describe a request.
    ///
    /// - Parameter keys: The server keys; nil if they cannot be read.
    /// - Returns: `name=value`; nil without keys.
    static func proof(_ keys: ServerKeys?) -> String? {
        guard let keys, let proof = try? OperatorProof.make(keys, now: Date()) else { return nil }
        return "\(OperatorProof.cookie)=\(proof)"
    }

    /// Reads the server keys.
    ///
    /// - Parameter storing: Where the keys are: in the state directory or in the database.
    /// - Returns: The keys; nil if they cannot be read.
    static func keys(_ storing: Configuration.Storing) -> ServerKeys? {
        if let settings = storing.database, let shared = try? Database(settings).sharedKeys {
            let keys = ServerKeys.unknown()
            // The program has made the first key, or there is no program to ask.
            let isRead: Void? = try? wait { () async throws(StoreError) in try await shared.read(into: keys) }
            return isRead == nil ? nil : keys
        }
        let directory = StateDirectory.resolved(storing.directory)
        let place = FileManager.default.currentDirectoryPath
        // The key file must belong to the user who reads it.
        guard let isOther = try? ActingUser.becomeOwner(of: directory) else { return nil }
        defer {
            if isOther {
                ActingUser.becomeRoot()
                // Other paths of the command may be relative.
                _ = FileManager.default.changeCurrentDirectoryPath(place)
            }
        }
        let file = (isOther ? "." : directory) + "/" + ServerKeys.fileName
        return (try? ServerKeys.existing(file: file)) ?? nil
    }
}
