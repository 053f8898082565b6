/// Keeps each session in a file of its own, each spent state as an empty one, and forms for those who sign in.
///
/// A record that is damaged, or not a record at all, costs one sign-in and nothing else.
package struct FileStore: Sendable {
    let directories: StoreDirectories
    let writers: WriterThreads
    /// For kept forms only: a flood of them makes no sign-in wait.
    ///
    /// One thread, so that nothing changes in their directory while it is read.
    let keeper: WriterThreads
    /// A thread of its own: what sweeps neither waits behind a flood nor holds a sign-in up.
    let sweeping = WriterThreads(count: 1)
    let files: FileSystem
    let random: RandomBytes
    /// Seconds.
    let idleLimit: Double
    let lockPatience: Duration
    /// Bytes.
    let keptTotal: Int
    let keptLedger: KeptLedger
    let spentLedger: SpentLedger
    let owner = FileSystem.effectiveUser

    /// Opens the store, and creates it if it is not there.
    ///
    /// - Parameters:
    ///   - directory: its path; the directory above it must exist.
    ///   - idleLimit: a session that was not used for so long has ended.
    ///   - lockPatience: how long an update waits for another one of the same session.
    ///   - keptTotal: bytes that all kept forms together may take.
    ///   - spentStates: marks of spent states that there may be.
    ///   - random: where tickets and nonces come from.
    ///   - files: the system.
    /// - Throws: `StoreError` with a remedy if the directory cannot be used, or if it is not this user's alone.
    package init(
        directory: String,
        idleLimit: Duration,
        lockPatience: Duration = .seconds(15),
        keptTotal: Int = 64 << 20,
        spentStates: Int = 50_000,
        random: RandomBytes = .system(),
        files: FileSystem = FileSystem()
    ) throws(StoreError) {
        self.files = files
        self.random = random
        self.idleLimit = idleLimit / .seconds(1)
        self.lockPatience = lockPatience
        self.keptTotal = keptTotal
        keptLedger = KeptLedger(total: keptTotal)
        spentLedger = SpentLedger(maximum: spentStates)
        directories = try StoreDirectories(path: directory, files: files)
        writers = WriterThreads(count: 16)
        keeper = WriterThreads(count: 1)
    }
}
