import FlyingSocks

/// A body that is sent in steps, with a pause before each, and that may break off at its end.
struct PacedBytes: AsyncBufferedSequence {
    struct BrokenOff: Error {}

    let bytes: [UInt8]
    let step: Int
    let pause: Duration
    let breaksOff: Bool

    init(_ bytes: [UInt8], step: Int, pause: Duration = .zero, breaksOff: Bool = false) {
        self.bytes = bytes
        self.step = step
        self.pause = pause
        self.breaksOff = breaksOff
    }

    func makeAsyncIterator() -> Iterator {
        Iterator(body: self, rest: bytes[...])
    }

    struct Iterator: AsyncBufferedIteratorProtocol {
        let body: PacedBytes
        var rest: ArraySlice<UInt8>

        mutating func next() async throws -> UInt8? {
            rest.popFirst()
        }

        mutating func nextBuffer(suggested count: Int) async throws -> ArraySlice<UInt8>? {
            guard !rest.isEmpty else {
                if body.breaksOff { throw BrokenOff() }
                return nil
            }
            if body.pause > .zero { try await Task.sleep(for: body.pause) }
            let next = rest.prefix(body.step)
            rest = rest.dropFirst(body.step)
            return next
        }
    }
}
