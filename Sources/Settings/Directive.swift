/// The directives of units that matter to findings (systemd.directives(7)).
enum Directive {
    /// `[Unit]`, or `[Service]` and `[Socket]`.
    enum Section { case unit, own }
    /// Findings decide about a value, or only a start shows its effect, or a unit starts with any value.
    enum Judge { case findings, start, nothing }

    /// The section of each directive, unless it does not matter, and what decides about its values.
    private static let table: [(section: Section?, judge: Judge, keys: String)] = [
        (.unit, .findings, "After Before"),
        (.unit, .start, "BindsTo Conflicts Requires RequiresMountsFor Requisite"),
        (.own, .findings, "Accept DirectoryMode DynamicUser Environment EnvironmentFile ExecStart Group LimitFSIZE"),
        (.own, .findings, "LimitNOFILE ListenStream LoadCredential PrivateNetwork PrivateTmp ProtectHome"),
        (.own, .findings, "ProtectSystem ReadWritePaths RestrictAddressFamilies RuntimeDirectory Service"),
        (.own, .findings, "SetCredential SocketGroup SocketMode SocketUser StateDirectory StateDirectoryMode"),
        (.own, .findings, "SupplementaryGroups Type User WorkingDirectory"),
        (.own, .start, "BindPaths BindReadOnlyPaths ExecCondition ExecPaths ExecStartPost ExecStartPre"),
        (.own, .start, "InaccessiblePaths NoExecPaths ReadOnlyPaths Sockets TemporaryFileSystem"),
        (nil, .nothing, "Alias Also Backlog CPUAccounting CPUQuota CPUWeight Description Documentation IOAccounting"),
        (nil, .nothing, "IOSchedulingClass IOSchedulingPriority IOWeight IPAccounting KillMode LimitCORE"),
        (nil, .nothing, "LogExtraFields LogLevelMax LogRateLimitBurst LogRateLimitIntervalSec MemoryAccounting"),
        (nil, .nothing, "MemoryLow MemoryMin MemorySwapMax Nice OnFailure OnSuccess OOMPolicy OOMScoreAdjust PartOf"),
        (nil, .nothing, "PollLimitBurst PollLimitIntervalSec RemoveOnStop Restart RestartPreventExitStatus RestartSec"),
        (nil, .nothing, "StartLimitIntervalSec StartupCPUWeight StartupIOWeight SyslogFacility SyslogIdentifier"),
        (nil, .nothing, "SyslogLevel SyslogLevelPrefix TasksAccounting TimeoutStopSec TriggerLimitBurst"),
        (nil, .nothing, "TriggerLimitIntervalSec WantedBy Wants"),
    ]
    private static let known = Dictionary(
        uniqueKeysWithValues: table.flatMap { row in row.keys.split(separator: " ").map { (String($0), row) } }
    )

    static func section(of key: String) -> Section? {
        ["Condition", "Assert"].contains(where: key.hasPrefix) ? .unit : known[key]?.section
    }

    static func judge(of key: String) -> Judge { known[key]?.judge ?? .start }
}
