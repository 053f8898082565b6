import POSIX
import Testing

import func Glibc.geteuid

struct AccountTests {
    @Test func `a user is found by name or number`() {
        #expect(User("root") == User(id: 0))
        #expect(User("33")?.id == 33)
        #expect(User("no-such-user") == nil)
        #expect(User("") == nil)
    }

    @Test func `a user without a name is named by its number`() {
        #expect(User(id: 0).name == "root")
        #expect(User(id: 4_000_000_000).name == "4000000000")
        #expect(User.current.id == geteuid())
    }

    @Test func `a group is found by name or number`() {
        #expect(Group("root")?.id == 0)
        #expect(Group("33")?.id == 33)
        #expect(Group("no-such-group") == nil)
    }
}
