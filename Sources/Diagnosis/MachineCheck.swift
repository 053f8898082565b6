import Encoding
import POSIX

/// Looks at what every program on this machine depends on.
package enum MachineCheck {
    /// Below this, a few more sessions fill the disk.
    private static let (fewBytes, fewFiles) = (64 << 20, 10_000)
    /// One session needs a file of a few kilobytes.
    private static let (noBytes, noFiles) = (1 << 20, 16)

    /// The random generator, which every session and every sign-in needs.
    package static func entropy() -> Report {
        do throws(SystemError) {
            try Entropy.probe()
            return Report(passed: "random numbers", "available")
        } catch {
            let remedy = "in a virtual machine, add a virtio-rng device; otherwise wait until the machine has started"
            return Report(.entropyMissing, "random numbers", "getrandom: \(error)", remedies: [remedy])
        }
    }

    /// Space and inodes of the state directory's file system.
    ///
    /// - Parameter directory: The state directory, or the directory in which it will be created.
    /// - Returns: The findings.
    package static func room(in directory: String) -> Report {
        let room: FileSystemRoom
        do throws(SystemError) {
            room = try FileSystemRoom(at: directory)
        } catch {
            return Report(.notChecked, directory, "its free space is not known: \(error)")
        }
        let (bytes, files) = (room.freeBytes, room.freeFiles ?? .max)
        let free = "\(bytes >> 20) MiB free" + (room.freeFiles.map { ", \($0) inodes free" } ?? "")
        let remedies = [
            "find the file system: df \(ShellWord.quoted(directory))",
            "find what fills it, at its mount point: du -x \(files < fewFiles ? "--inodes" : "-h") --max-depth=1",
            "give SIGNIN_STATE_DIRECTORY a file system of its own",
        ]
        if bytes < noBytes || files < noFiles {
            return Report(.storeFull, directory, free, remedies: remedies)
        } else if bytes < fewBytes || files < fewFiles {
            return Report(.storeLow, directory, free, remedies: remedies)
        } else {
            return Report(passed: directory, free)
        }
    }
}
