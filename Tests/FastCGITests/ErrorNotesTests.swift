import HTTP
import TestSupport
import Testing

@testable import FastCGI

struct ErrorNotesTests {
    @Test func `the notes of a request go with its answer, once`() {
        let notes = ErrorNotes()
        notes.add("a", to: RequestID(1))
        notes.add("b", to: RequestID(2))
        notes.add("c", to: RequestID(1))
        #expect(notes.take(for: RequestID(3)) == nil)
        #expect(notes.take(for: RequestID(1)) == "a; c")
        #expect(notes.take(for: RequestID(1)) == nil)
        #expect(notes.take(for: RequestID(2)) == "b")
    }

    @Test func `notes whose answers never come do not fill the memory`() {
        let notes = ErrorNotes()
        for number in 0..<10_000 { notes.add("n", to: RequestID(UInt64(number))) }
        let kept = (0..<10_000).filter { notes.take(for: RequestID(UInt64($0))) != nil }
        #expect(kept == Array(9_744..<10_000))
    }

    @Test func `the notes of one request are cut`() {
        let notes = ErrorNotes()
        for _ in 0..<100 { notes.add(String(repeating: "x", count: 100), to: RequestID(1)) }
        #expect(notes.take(for: RequestID(1))?.utf8.count == 300)
    }
}
