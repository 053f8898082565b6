import Encoding
import POSIX

import struct FoundationEssentials.URL

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
    /// - Parameters:
    ///   - directory: The state directory, or the directory in which it will be created.
    ///   - causes: What a full file system makes fail.
    /// - Returns: The findings.
    package static func room(in directory: String, causing causes: Set<Cause> = []) -> Report {
        let room: FileSystemRoom
        do throws(SystemError) {
            room = try FileSystemRoom(at: directory)
        } catch {
            return Report(.notChecked, directory, "the free space of the file system is not known: \(error)")
        }
        let (bytes, files) = (room.freeBytes, room.freeFiles ?? .max)
        let free = "\(bytes >> 20) MiB free" + (room.freeFiles.map { ", \($0) inodes free" } ?? "")
        let (top, own) = (ShellWord.quoted(mountPoint(of: directory)), ShellWord.quoted(directory))
        let (kind, order) = bytes < fewBytes ? ("-h", "-h") : ("--inodes", "-n")
        let remedies = [
            "find what fills the file system: du -x \(kind) --max-depth=3 \(top) | sort \(order) | tail -n 20",
            "remove what the command shows and nobody needs, such as old logs and backups, or make the file system larger; "
                + "the program needs no restart",
            "remove nothing in \(own): each file is a session, a personal token or a key; the program removes expired ones",
        ]
        if bytes < noBytes || files < noFiles {
            let what = "the file system is full: \(free)"
            return Report(.storeFull, directory, what, remedies: remedies, causing: causes)
        } else if bytes < fewBytes || files < fewFiles {
            return Report(.storeLow, directory, "the file system is almost full: \(free)", remedies: remedies)
        } else {
            return Report(passed: directory, free)
        }
    }

    /// The directory at which the file system of a path begins.
    private static func mountPoint(of path: String) -> String {
        var place = URL(fileURLWithPath: path).resolvingSymlinksInPath()
        let device = (try? FileStatus(path: place.path))?.identity.device
        while place.path != "/" {
            let parent = place.deletingLastPathComponent()
            guard (try? FileStatus(path: parent.path))?.identity.device == device else { break }
            place = parent
        }
        return place.path
    }
}
