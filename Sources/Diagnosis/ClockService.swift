import class FoundationEssentials.FileManager

/// A service that sets the clock of a machine.
package enum ClockService: CaseIterable, Sendable {
    case timesyncd, chrony, ntp

    /// The names of its unit in Debian and other distributions.
    private var units: [String] {
        switch self {
        case .timesyncd: ["systemd-timesyncd"]
        case .chrony: ["chrony", "chronyd"]
        case .ntp: ["ntpsec", "ntp", "ntpd", "openntpd"]
        }
    }

    /// The service that is installed on this machine; nil if there is none.
    ///
    /// - Parameter directories: The directories of the units of systemd.
    /// - Returns: The service that can run.
    package static func installed(
        in directories: [String] = ["/etc/systemd/system", "/usr/lib/systemd/system", "/lib/systemd/system"]
    ) -> ClockService? {
        // systemd-timesyncd does not start beside one of the others.
        [.chrony, .ntp, .timesyncd].first { service in
            service.units.contains { unit in
                directories.contains { FileManager.default.fileExists(atPath: "\($0)/\(unit).service") }
            }
        }
    }

    /// What sets the clock right.
    static func remedies(_ service: ClockService?) -> [String] {
        switch service {
        case .timesyncd: ["run: timedatectl set-ntp true", "then compare: timedatectl timesync-status"]
        case .chrony: ["run: systemctl enable --now chrony", "then compare: chronyc tracking"]
        case .ntp: ["run: systemctl enable --now ntpsec", "then compare: ntpq -p"]
        case nil:
            [
                "run: apt-get install systemd-timesyncd, then: timedatectl set-ntp true",
                "in a container, the clock is that of the host: set it there",
            ]
        }
    }
}
