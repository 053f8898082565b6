import Encoding
import Glibc

/// What an operator can do about a socket that cannot be made, with a command to paste.
enum Remedy {
    /// For a path that could not be bound.
    static func binding(_ path: String, code: Int32) -> String {
        let directory = path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        let (user, place) = (ShellWord.quoted(userName), ShellWord.quoted(directory))
        switch code {
        case ENOENT:
            return
                "user \(userName): the directory \(directory) does not exist; run: install -d -o \(user) -m 0755 \(place)"
        case EACCES where ["/", "/run", "/var/run", "/tmp", "/var/tmp"].contains(directory):
            return "user \(userName) may not write in \(directory), which many programs share; "
                + "run: install -d -o \(user) -m 0755 /run/linkedin-signin; "
                + "and set SIGNIN_LISTEN=unix:/run/linkedin-signin/socket"
        case EACCES:
            return "user \(userName) may not write in \(directory); run: chown \(user) \(place)"
        case EROFS:
            return "the file system of \(directory) is read-only"
        default:
            return "user \(userName)"
        }
    }

    /// For a socket that could not be given to a group.
    static func group(_ name: String) -> String {
        "user \(userName) is not a member of the group \(name); "
            + "run: usermod -aG \(ShellWord.quoted(name)) \(ShellWord.quoted(userName))"
    }

    /// For a group that the system does not know.
    static func missingGroup(_ name: String) -> String {
        "there is no such group: correct the name, or create the group; run: groupadd --system \(ShellWord.quoted(name))"
    }

    /// For a user that the system does not know.
    static func missingUser(_ name: String) -> String {
        "there is no such user: correct the name, or create the user; "
            + "run: useradd --system --shell /usr/sbin/nologin \(ShellWord.quoted(name))"
    }

    private static var userName: String {
        // unsafe because the C library answers with a pointer to its own record, which is read at once.
        guard let entry = unsafe getpwuid(geteuid()), let name = unsafe entry.pointee.pw_name else {
            return "\(geteuid())"
        }
        return unsafe String(cString: name)
    }
}
