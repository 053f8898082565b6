extension FileSystem {
    /// The calls that can fail, by the names of their manual pages.
    package enum Call: String, Sendable, CaseIterable {
        case open, stat, read, write, fsync, link, rename, unlink, mkdir, chmod, flock, readdir
        case setTimes = "utimensat"
        case random = "getentropy"
    }
}
