/// The settings in force.
actor SettingsStore {
    private(set) var current: Settings

    init(_ settings: Settings) {
        current = settings
    }

    /// Changes the settings, all or nothing.
    ///
    /// - Parameter change: Edits a copy.
    /// - Throws: What the change throws; then nothing has changed.
    func update(_ change: @Sendable (inout Settings) throws -> Void) rethrows {
        var copy = current
        try change(&copy)
        current = copy
    }
}
