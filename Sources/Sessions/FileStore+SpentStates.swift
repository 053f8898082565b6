import Glibc

import struct Crypto.SHA256
package import struct FoundationEssentials.Date

extension FileStore: SpentStateStore {
    package func spend(
        _ state: String,
        from sender: UInt64,
        expires: Date,
        now: Date
    ) async throws(StoreError) -> SpendOutcome {
        switch spentLedger.reserve(for: sender, until: expires, now: now) {
        case .free: break
        case .full: return .full
        case .shareTaken: return .shareTaken
        }
        do throws(StoreError) {
            if try await spend(state, expires: expires) { return .spent }
            spentLedger.release(for: sender, until: expires)
            return .usedBefore
        } catch {
            // There may be a mark all the same; then the next sweep finds it.
            spentLedger.release(for: sender, until: expires)
            throw error
        }
    }

    /// The mark is an empty file, named after the state's hash, whose modification time says when to forget it.
    package func spend(_ state: String, expires: Date) async throws(StoreError) -> Bool {
        let name = Self.mark(of: state)
        return try await writers.run(.beginning) { () throws(StoreError) in
            try directories.refresh()
            return try asStoreError { () throws(SystemError) in try mark(name, until: expires) }
        }
    }

    /// Looks on the caller's thread: one system call.
    package func isSpent(_ state: String) async throws(StoreError) -> Bool {
        do {
            _ = try files.status(Self.mark(of: state).relativePath, in: directories.spent)
            return true
        } catch {
            guard error.number == ENOENT else { throw StoreError(error) }
            return false
        }
    }

    private static func mark(of state: String) -> RecordName {
        RecordName(hash: SHA256.hash(data: Array(state.utf8)))
    }

    /// A mark that could not be made durable stays: better a sign-in to repeat than a state used twice.
    private func mark(_ name: RecordName, until expires: Date) throws(SystemError) -> Bool {
        let shard = try files.openOrMakeDirectory(name.shard, in: directories.spent)
        do {
            let file = try files.createFile(name.file, in: shard)
            try files.setModified(expires, of: file)
            try files.synchronize(file)
            try files.synchronize(shard)
            return true
        } catch {
            guard error.number == EEXIST else { throw error }
            return false
        }
    }
}
