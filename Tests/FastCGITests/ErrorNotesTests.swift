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
        #expect(notes.take(for: RequestID(3)).text == nil)
        #expect(notes.take(for: RequestID(1)).text == "a; c")
        #expect(notes.take(for: RequestID(1)).text == nil)
        #expect(notes.take(for: RequestID(2)).text == "b")
    }

    @Test func `notes whose answers never come do not fill the memory`() {
        let notes = ErrorNotes()
        for number in 0..<10_000 { notes.add("n", to: RequestID(UInt64(number))) }
        let kept = (0..<10_000).filter { notes.take(for: RequestID(UInt64($0))).text != nil }
        #expect(kept == Array(9_744..<10_000))
    }

    @Test func `the notes of one request are cut`() {
        let notes = ErrorNotes()
        for _ in 0..<100 { notes.add(String(repeating: "x", count: 100), to: RequestID(1)) }
        #expect(notes.take(for: RequestID(1)).text?.utf8.count == 300)
    }

    @Test func `the last reason of a request goes with its notes`() {
        let notes = ErrorNotes()
        notes.add(reason: "first", to: RequestID(1))
        notes.add("text", to: RequestID(1))
        notes.add(reason: "last", to: RequestID(1))
        #expect(notes.take(for: RequestID(1)) == ErrorNotes.Notes(text: "text", reason: "last"))
        #expect(notes.take(for: RequestID(1)) == ErrorNotes.Notes())
    }
}
