import Encoding
import Glibc

import struct FoundationEssentials.Date

extension ServerKeys {
    /// The key file of a store, in its directory.
    package static let fileName = "server-key"

    private static let maximumFileSize = 4_096

    /// Reads the key file, and makes one with a new key if there is none.
    ///
    /// The file holds one key a line, base64url of 32 bytes, the newest first. To rotate, put a new line on top, and
    /// take the last one away when what it sealed is no longer wanted.
    ///
    /// - Parameters:
    ///   - file: its path; the directory above it must exist.
    ///   - random: where a new key comes from.
    ///   - files: the system.
    /// - Returns: the keys, at least one.
    /// - Throws: `StoreError` if the file cannot be used, is readable to others, or holds anything but keys.
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
        // Of two processes that start at once, one had its file in place first: that is the one to use.
        guard let keys = try read(name, in: parent, random: random, files: files) else {
            throw StoreError(.unusable, detail: "the server key file vanished while it was made")
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
        // The system's own files of credentials belong to root.
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
