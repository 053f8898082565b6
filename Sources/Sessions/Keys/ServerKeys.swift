import Encoding
import Glibc
import POSIX
import Synchronization

import struct Crypto.SymmetricKey
package import struct FoundationEssentials.Date

/// The server's keys, newest first, which seal values that a browser stores but must neither read nor change.
///
/// The first key whose time has come seals. Each key opens what it sealed.
///
/// Sealed text is base64url of `version (1)  key id (4)  salt (16)  nonce (12)  sealed  tag (16)`. The salt gives every
/// text its own key (HKDF), because random nonces limit the number of texts under one key (NIST SP 800-38D §8.3): a flood
/// of sign-ins would reach that limit in days.
package struct ServerKeys: Sendable, CustomStringConvertible, CustomReflectable {
    package static let byteCount = 32
    private static let version: UInt8 = 1
    private static let idCount = 4
    private static let saltCount = 16
    private static let headerCount = 1 + idCount + saltCount

    private struct Key {
        let id: [UInt8]
        let bytes: [UInt8]
        /// Before this time, the key only opens.
        let sealsFrom: Date

        init(_ bytes: [UInt8], sealsFrom: Date = .distantPast) {
            let id = KeyDerivation.expand(bytes, info: Array("linkedin-signin key id".utf8))
            self.id = Array(id.prefix(ServerKeys.idCount))
            self.bytes = bytes
            self.sealsFrom = sealsFrom
        }
    }

    /// The keys, which all copies share.
    private final class Ring: Sendable {
        let keys: Mutex<[Key]>

        init(_ keys: [Key]) {
            self.keys = Mutex(keys)
        }
    }

    private let ring: Ring
    private let random: RandomBytes

    /// Nil if there is no key, or if a key does not have 32 bytes.
    package init?(_ keys: [[UInt8]], random: RandomBytes = .system()) {
        guard !keys.isEmpty, keys.allSatisfy({ $0.count == Self.byteCount }) else { return nil }
        ring = Ring(keys.map { Key($0) })
        self.random = random
    }

    /// Reads keys as in the key file, separated by white space; nil if one is not a key.
    package init?(text: String, random: RandomBytes = .system()) {
        let keys = text.split(whereSeparator: \.isWhitespace).map { Base64URL.decode(String($0)) ?? [] }
        self.init(keys, random: random)
    }

    /// Keys that are not known yet: nothing can be sealed or opened before `replace`.
    package static func unknown() -> ServerKeys { ServerKeys(Ring([]), .system()) }

    private init(_ ring: Ring, _ random: RandomBytes) {
        self.ring = ring
        self.random = random
    }

    package var count: Int { ring.keys.withLock { $0.count } }

    /// Replaces all keys, in all copies of this value.
    ///
    /// - Parameter keys: newest first, each with the time from which it seals.
    /// - Returns: whether these are other keys than before.
    package func replace(with keys: [(bytes: [UInt8], sealsFrom: Date)]) -> Bool {
        let keys = keys.map { Key($0.bytes, sealsFrom: $0.sealsFrom) }
        return ring.keys.withLock { old in
            let isNew = !keys.elementsEqual(old) { $0.bytes == $1.bytes }
            old = keys
            return isNew
        }
    }

    /// Replaces all keys by those of another value, in all copies of this value.
    package func adopt(_ other: ServerKeys) {
        let keys = other.ring.keys.withLock(\.self)
        ring.keys.withLock { $0 = keys }
    }

    /// The newest key that may seal now.
    ///
    /// If no key may seal yet, it is the oldest one, because all machines have known it for the longest time.
    private func sealingKey() throws(StoreError) -> Key {
        let now = Date()
        let key = ring.keys.withLock { keys in keys.first { $0.sealsFrom <= now } ?? keys.last }
        guard let key else {
            throw StoreError(.unreachable, detail: "the server keys in the database are not known yet")
        }
        return key
    }

    /// Seals a value for one purpose.
    ///
    /// - Parameters:
    ///   - plaintext: at most a few hundred bytes, so that the result fits a cookie.
    ///   - purpose: what the value is for; it opens for no other purpose.
    /// - Returns: base64url text.
    /// - Throws: `StoreError` if the system gives no random bytes.
    package func seal(_ plaintext: [UInt8], purpose: String) throws(StoreError) -> String {
        let key = try sealingKey()
        let salt = try random(Self.saltCount)
        let nonce = try random(SealedBytes.nonceCount)
        let derived = Self.derive(key, purpose: purpose, salt: salt)
        let header = [Self.version] + key.id + salt
        guard let sealed = SealedBytes.seal(plaintext, behind: header, key: derived, nonce: nonce) else {
            throw StoreError(.unusable, detail: "the text could not be sealed")
        }
        return Base64URL.encode(sealed)
    }

    /// The value; nil if no current key sealed this text for this purpose.
    package func open(_ sealed: String, purpose: String) -> [UInt8]? {
        guard let bytes = Base64URL.decode(sealed), bytes.count >= Self.headerCount, bytes[0] == Self.version else {
            return nil
        }
        let salt = Array(bytes[(1 + Self.idCount)..<Self.headerCount])
        let keys = ring.keys.withLock(\.self)
        for key in keys where key.id.elementsEqual(bytes[1..<(1 + Self.idCount)]) {
            let derived = Self.derive(key, purpose: purpose, salt: salt)
            if let text = SealedBytes.open(bytes, behind: Self.headerCount, key: derived) { return text }
        }
        return nil
    }

    /// The key that seals now, sealed itself, so that it can be stored elsewhere.
    package func sealed(with seal: ServerKeys, purpose: String) throws(StoreError) -> String {
        try seal.seal(sealingKey().bytes, purpose: purpose)
    }

    private static func derive(_ key: Key, purpose: String, salt: [UInt8]) -> SymmetricKey {
        // The salt has a fixed length and comes first, so two pairs of salt and purpose never give the same text.
        let info = Array("linkedin-signin seal ".utf8) + salt + Array(purpose.utf8)
        return SymmetricKey(data: KeyDerivation.expand(key.bytes, info: info))
    }

    package var description: String { "<redacted>" }
    package var customMirror: Mirror { Mirror(self, children: []) }

    /// The name of the key file in the state directory.
    package static let fileName = StoreDirectories.keyFile

    private static let maximumFileSize = 4_096

    /// Reads the key file; creates it with a new key if there is none.
    ///
    /// The file contains one key per line, as base64url of 32 bytes, newest first. To rotate, add a new first line, and
    /// remove the last line when nothing that it sealed is needed any more.
    ///
    /// - Parameters:
    ///   - file: the path of the file; its directory must exist.
    ///   - random: the source of a new key.
    ///   - files: the system calls to use.
    /// - Returns: the keys, at least one.
    /// - Throws: `StoreError` with the command that repairs the file, if it cannot be used, if other users can read it, or
    ///   if a line is not a key.
    package static func load(
        file: String,
        random: RandomBytes = .system(),
        files: FileSystem = FileSystem()
    ) throws(StoreError) -> ServerKeys {
        let (directory, name) = try split(file)
        let files = files.at(directory)
        let what = "the directory \(directory) of the server key file"
        let parent = try asStoreError(opening: what) { () throws(SystemError) in
            try files.openDirectory(directory, in: .working)
        }
        if let keys = try read(name, in: parent, at: directory, random: random, files: files) { return keys }
        let line = Base64URL.encode(try random(byteCount)) + "\n"
        _ = try asStoreError { () throws(SystemError) in
            try files.publish(Array(line.utf8), as: name, in: parent)
        }
        // If two processes start at the same time, the first file is used.
        guard let keys = try read(name, in: parent, at: directory, random: random, files: files) else {
            throw StoreError(.unusable, detail: "the server key file \(file) disappeared while it was created")
        }
        return keys
    }

    /// Reads the key file; nil if there is none.
    package static func existing(file: String) throws(StoreError) -> ServerKeys? {
        let (directory, name) = try split(file)
        let files = FileSystem().at(directory)
        let parent = try asStoreError { () throws(SystemError) in
            try files.openDirectoryIfPresent(directory, in: .working)
        }
        guard let parent else { return nil }
        return try read(name, in: parent, at: directory, random: .system(files), files: files)
    }

    /// Adds a new key to the key file, as its first line, and keeps the one that sealed until now.
    ///
    /// Programs that read the file from then on seal with the new key. Keys before the last one are removed.
    ///
    /// - Parameter file: the path of the file; if it does not exist, it is created with one key.
    /// - Throws: `StoreError` if the file cannot be used or replaced.
    package static func rotate(file: String) throws(StoreError) {
        let (random, files) = (RandomBytes.system(), FileSystem())
        let last = try load(file: file, random: random, files: files).ring.keys.withLock { $0.prefix(1).map(\.bytes) }
        let lines = [try random(byteCount)] + last
        let text = lines.map { Base64URL.encode($0) + "\n" }.joined()
        let (directory, name) = try split(file)
        try asStoreError { () throws(SystemError) in
            let files = files.at(directory)
            let parent = try files.openDirectory(directory, in: .working)
            try files.overwrite(name, with: Array(text.utf8), in: parent)
        }
    }

    /// Reads the key file in a directory.
    ///
    /// - Parameters:
    ///   - name: The name of the file.
    ///   - directory: The directory, open.
    ///   - path: The path of the directory, for messages.
    ///   - owner: The user id that the program runs as, or would run as.
    ///   - random: The source of random bytes of the keys.
    ///   - files: The system.
    /// - Returns: The keys; nil if the file does not exist.
    /// - Throws: `StoreError` with the command that repairs the file.
    static func read(
        _ name: String,
        in directory: borrowing FileDescriptor,
        at path: String,
        owner: UInt32 = User.current.id,
        random: RandomBytes,
        files: FileSystem
    ) throws(StoreError) -> ServerKeys? {
        let path = path == "/" ? "/\(name)" : "\(path)/\(name)"
        let contents = try asStoreError { () throws(SystemError) -> Contents? in
            do throws(SystemError) {
                let file = try files.openFile(name, in: directory)
                let status = try files.status(file)
                // A directory can be opened, but not read.
                return Contents(
                    status: status,
                    bytes: status.kind == .regular ? try files.read(file, count: maximumFileSize) : []
                )
            } catch {
                switch error.number {
                case ENOENT: return nil
                case EACCES: return Contents(isReadable: false)
                case ELOOP: return Contents()
                default: throw error
                }
            }
        }
        guard let contents else { return nil }
        try check(contents, path: path, owner: owner)
        return try parse(contents.bytes, path: path, random: random)
    }

    private struct Contents {
        /// Nil for a symbolic link, which is not followed, and for a file that cannot be read.
        var status: FileStatus?
        var bytes: [UInt8] = []
        var isReadable = true
    }

    private static func check(_ contents: Contents, path: String, owner: UInt32) throws(StoreError) {
        let user = User(id: owner)
        let quoted = ShellWord.quoted(path)
        let ownership = "run: chown \(ShellWord.quoted(user.name)) \(quoted) && chmod 600 \(quoted)"
        guard contents.isReadable else {
            let detail = "\(user.described) cannot read the server key file \(path)"
            throw StoreError(.unusable, detail: detail, remedy: ownership)
        }
        guard let status = contents.status, status.kind == .regular, status.size < maximumFileSize else {
            throw damaged("the server key file \(path) is not a small regular file", path)
        }
        // systemd credentials belong to root. What another user would find there cannot be seen from here.
        guard status.owner == owner || (status.owner == 0 && owner == User.current.id) else {
            let owners = "\(User(id: status.owner).described), not to \(user.described)"
            throw StoreError(.unusable, detail: "the server key file \(path) belongs to \(owners)", remedy: ownership)
        }
        guard status.permissions & 0o077 == 0 else {
            let mode = String(status.permissions, radix: 8)
            throw StoreError(
                .unusable,
                detail:
                    "the server key file \(path) is open to other users (mode \(mode)): if one of them may have read "
                    + "it, remove it instead, and the next start makes a new key",
                remedy: "run: chmod 600 \(quoted)"
            )
        }
    }

    private static func parse(
        _ bytes: [UInt8],
        path: String,
        random: RandomBytes
    ) throws(StoreError) -> ServerKeys {
        var keys: [[UInt8]] = []
        let lines = bytes.split(separator: UInt8(ascii: "\n"))
        for (number, line) in lines.enumerated() {
            let text = String(decoding: line, as: UTF8.self)
            guard let key = Base64URL.decode(text), key.count == byteCount else {
                throw damaged("line \(number + 1) of the server key file \(path) is not a key", path)
            }
            keys.append(key)
        }
        guard let keys = ServerKeys(keys, random: random) else {
            throw damaged("the server key file \(path) is empty", path)
        }
        return keys
    }

    /// For a file without usable keys: what was sealed with them is lost in any case.
    private static func damaged(_ fault: String, _ path: String) -> StoreError {
        let command = "mv \(ShellWord.quoted(path)) \(ShellWord.quoted(path + ".damaged"))"
        let effect = "without it the next start makes a new key, and unfinished sign-ins begin again"
        return StoreError(.unusable, detail: "\(fault); \(effect)", remedy: "run: \(command)")
    }

    private static func split(_ file: String) throws(StoreError) -> (directory: String, name: String) {
        guard let slash = file.lastIndex(of: "/") else { return (".", file) }
        let name = String(file[file.index(after: slash)...])
        guard !name.isEmpty else {
            throw StoreError(.unusable, detail: "the path \(file) of the server key file ends in a slash")
        }
        return (slash == file.startIndex ? "/" : String(file[..<slash]), name)
    }
}
