import Encoding

/// Names for files that are not finished; the sweeper knows them by their beginning.
enum TemporaryName {
    private static let prefix = ".new-"

    static func make(_ files: FileSystem) throws(SystemError) -> String {
        prefix + Base64URL.encode(try files.random(16))
    }

    static func matches(_ name: String) -> Bool {
        name.hasPrefix(prefix)
    }
}
