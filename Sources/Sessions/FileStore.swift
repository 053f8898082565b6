/// Keeps each session in a file of its own, and each spent state as an empty one.
///
/// A record that is damaged, or not a record at all, costs one sign-in and nothing else.
package struct FileStore: Sendable {
    let directories: StoreDirectories
    let writers: WriterThreads
    /// A thread of its own: what sweeps neither waits behind a flood nor holds a sign-in up.
    let sweeping = WriterThreads(count: 1)
    let files: FileSystem
    let random: RandomBytes
    /// Seconds.
    let idleLimit: Double
    let lockPatience: Duration
    let owner = FileSystem.effectiveUser

    /// Opens the store, and creates it if it is not there.
    ///
    /// - Parameters:
    ///   - directory: its path; the directory above it must exist.
    ///   - idleLimit: a session that was not used for so long has ended.
    ///   - lockPatience: how long an update waits for another one of the same session.
    ///   - random: where tickets and nonces come from.
    ///   - files: the system.
    /// - Throws: `StoreError` with a remedy if the directory cannot be used, or if it is not this user's alone.
    package init(
        directory: String,
        idleLimit: Duration,
        lockPatience: Duration = .seconds(15),
        random: RandomBytes = .system(),
        files: FileSystem = FileSystem()
    ) throws(StoreError) {
        self.files = files
        self.random = random
        self.idleLimit = idleLimit / .seconds(1)
        self.lockPatience = lockPatience
        directories = try StoreDirectories(path: directory, files: files)
        writers = WriterThreads(count: 16)
    }
}
