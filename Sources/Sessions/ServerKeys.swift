import Encoding
import Glibc

import struct Crypto.SymmetricKey

/// Seals values that a browser stores but must neither read nor change.
package protocol Sealer: Sendable {
    /// Seals a value for one purpose.
    ///
    /// - Parameters:
    ///   - plaintext: at most a few hundred bytes, so that the result fits a cookie.
    ///   - purpose: what the value is for; it opens for no other purpose.
    /// - Returns: base64url text.
    /// - Throws: `StoreError` if the system gives no random bytes.
    func seal(_ plaintext: [UInt8], purpose: String) throws(StoreError) -> String

    /// The value; nil if no current key sealed this text for this purpose.
    func open(_ sealed: String, purpose: String) -> [UInt8]?
}

/// The server's keys, newest first: the first one seals, and each one opens what it sealed.
///
/// Sealed text is base64url of `version (1)  key id (4)  salt (16)  nonce (12)  sealed  tag (16)`. The salt gives every
/// text its own key (HKDF), because random nonces limit the number of texts under one key (NIST SP 800-38D §8.3): a flood
/// of sign-ins would reach that limit in days.
package struct ServerKeys: Sealer, CustomStringConvertible, CustomReflectable {
    package static let byteCount = 32
    private static let version: UInt8 = 1
    private static let idCount = 4
    private static let saltCount = 16
    private static let headerCount = 1 + idCount + saltCount

    private struct Key {
        let id: [UInt8]
        let bytes: [UInt8]
    }

    private let keys: [Key]
    private let random: RandomBytes

    /// Nil if there is no key, or if a key does not have 32 bytes.
    package init?(_ keys: [[UInt8]], random: RandomBytes = .system()) {
        guard !keys.isEmpty, keys.allSatisfy({ $0.count == Self.byteCount }) else { return nil }
        self.keys = keys.map { bytes in
            let id = KeyDerivation.expand(bytes, info: Array("linkedin-signin key id".utf8))
            return Key(id: Array(id.prefix(Self.idCount)), bytes: bytes)
        }
        self.random = random
    }

    package var count: Int { keys.count }

    package func seal(_ plaintext: [UInt8], purpose: String) throws(StoreError) -> String {
        let key = keys[0]
        let salt = try random(Self.saltCount)
        let nonce = try random(SealedBytes.nonceCount)
        let derived = Self.derive(key, purpose: purpose, salt: salt)
        let header = [Self.version] + key.id + salt
        guard let sealed = SealedBytes.seal(plaintext, behind: header, key: derived, nonce: nonce) else {
            throw StoreError(.unusable, detail: "the text could not be sealed")
        }
        return Base64URL.encode(sealed)
    }

    package func open(_ sealed: String, purpose: String) -> [UInt8]? {
        guard let bytes = Base64URL.decode(sealed), bytes.count >= Self.headerCount, bytes[0] == Self.version else {
            return nil
        }
        let salt = Array(bytes[(1 + Self.idCount)..<Self.headerCount])
        for key in keys where key.id.elementsEqual(bytes[1..<(1 + Self.idCount)]) {
            let derived = Self.derive(key, purpose: purpose, salt: salt)
            if let text = SealedBytes.open(bytes, behind: Self.headerCount, key: derived) { return text }
        }
        return nil
    }

    private static func derive(_ key: Key, purpose: String, salt: [UInt8]) -> SymmetricKey {
        // The salt has a fixed length and comes first, so two pairs of salt and purpose never give the same text.
        let info = Array("linkedin-signin seal ".utf8) + salt + Array(purpose.utf8)
        return SymmetricKey(data: KeyDerivation.expand(key.bytes, info: info))
    }

    package var description: String { "<redacted>" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}

extension ServerKeys {
    /// The name of the key file in the state directory.
    package static let fileName = "server-key"

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
    /// - Throws: `StoreError` if the file cannot be used, if other users can read it, or if a line is not a key.
    package static func load(
        file: String,
        random: RandomBytes = .system(),
        files: FileSystem = FileSystem()
    ) throws(StoreError) -> ServerKeys {
        let (directory, name) = try split(file)
        let parent = try asStoreError(opening: "the directory of the server key file") { () throws(SystemError) in
            try files.openDirectory(directory, in: .working)
        }
        if let keys = try read(name, in: parent, random: random, files: files) { return keys }
        let line = Base64URL.encode(try random(byteCount)) + "\n"
        _ = try asStoreError { () throws(SystemError) in
            try files.publish(Array(line.utf8), as: name, in: parent)
        }
        // Two processes may start at the same time. The file that was there first counts.
        guard let keys = try read(name, in: parent, random: random, files: files) else {
            throw StoreError(.unusable, detail: "the server key file disappeared while it was created")
        }
        return keys
    }

    /// Nil if there is no such file.
    static func read(
        _ name: String,
        in directory: borrowing FileDescriptor,
        owner: UInt32 = FileSystem.effectiveUser,
        random: RandomBytes,
        files: FileSystem
    ) throws(StoreError) -> ServerKeys? {
        let contents = try asStoreError(opening: "the server key file") { () throws(SystemError) -> Contents? in
            do throws(SystemError) {
                let file = try files.openFile(name, in: directory)
                return Contents(
                    status: try files.status(file),
                    bytes: try files.read(file, count: maximumFileSize)
                )
            } catch {
                guard error.number == ENOENT else { throw error }
                return nil
            }
        }
        guard let contents else { return nil }
        try check(contents.status, owner: owner)
        return try parse(contents.bytes, random: random)
    }

    private struct Contents {
        let status: FileStatus
        let bytes: [UInt8]
    }

    private static func check(_ status: FileStatus, owner: UInt32) throws(StoreError) {
        guard status.isRegular, status.size < maximumFileSize else {
            throw StoreError(.unusable, detail: "the server key file is not a small regular file")
        }
        // systemd credentials belong to root.
        guard status.owner == owner || status.owner == 0 else {
            throw StoreError(.unusable, detail: "the server key file belongs to user \(status.owner)")
        }
        guard status.permissions & 0o077 == 0 else {
            let mode = String(status.permissions, radix: 8)
            throw StoreError(
                .unusable,
                detail:
                    "the server key file is open to other users (mode \(mode)): chmod 600 it and put a new key in it"
            )
        }
    }

    private static func parse(_ bytes: [UInt8], random: RandomBytes) throws(StoreError) -> ServerKeys {
        var keys: [[UInt8]] = []
        let lines = bytes.split(separator: UInt8(ascii: "\n"))
        for (number, line) in lines.enumerated() {
            let text = String(decoding: line, as: UTF8.self)
            guard let key = Base64URL.decode(text), key.count == byteCount else {
                throw StoreError(.unusable, detail: "line \(number + 1) of the server key file is not a key")
            }
            keys.append(key)
        }
        guard let keys = ServerKeys(keys, random: random) else {
            throw StoreError(.unusable, detail: "the server key file is empty")
        }
        return keys
    }

    private static func split(_ file: String) throws(StoreError) -> (directory: String, name: String) {
        guard let slash = file.lastIndex(of: "/") else { return (".", file) }
        let name = String(file[file.index(after: slash)...])
        guard !name.isEmpty else {
            throw StoreError(.unusable, detail: "the path of the server key file ends in a slash")
        }
        return (slash == file.startIndex ? "/" : String(file[..<slash]), name)
    }
}
