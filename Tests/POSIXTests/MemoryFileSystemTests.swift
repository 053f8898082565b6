import POSIX
import Testing

struct MemoryFileSystemTests {
    @Test(arguments: ["/dev/shm", "/dev/shm/", "/dev/shm/none/below"])
    func `a path on tmpfs is in memory, also one that does not exist yet`(path: String) {
        #expect(MemoryFileSystem.contains(path))
    }

    @Test(arguments: ["/proc", "/proc/none/below", "/proc/self/stat/below", "dev/shm", ""])
    func `any other path is not`(path: String) {
        #expect(!MemoryFileSystem.contains(path))
    }
}
