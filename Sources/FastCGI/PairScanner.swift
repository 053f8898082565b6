/// Follows the name-value pairs of a parameter stream by their lengths alone (FastCGI 1.0 §3.4).
///
/// It is here because libfcgi takes a length at its word: it reserves that much memory, and ends the process when it
/// cannot. So lengths are checked before libfcgi sees them.
struct PairScanner {
    private enum State {
        case nameLength
        case nameLengthRest
        case valueLength
        case valueLengthRest
        case text
    }

    private let limit: Int
    private var state = State.nameLength
    private var nameLength = 0
    private var valueLength = 0
    /// Bytes that are left of the length or of the text under way.
    private var left = 0
    private var total = 0

    /// The stream, or what one pair says of itself, is over the limit.
    private(set) var isTooLarge = false

    init(limit: Int) {
        self.limit = limit
    }

    /// The stream can end here: no pair is under way.
    var isAtBoundary: Bool { state == .nameLength }

    mutating func scan(_ bytes: Span<UInt8>) {
        total += bytes.count
        if total > limit { isTooLarge = true }
        var at = 0
        while at < bytes.count, !isTooLarge {
            if state == .text {
                let skipped = min(left, bytes.count - at)
                at += skipped
                left -= skipped
                if left == 0 { state = .nameLength }
            } else {
                take(Int(bytes[at]))
                at += 1
            }
        }
    }

    private mutating func take(_ byte: Int) {
        switch state {
        case .nameLength where byte >= 0x80: (nameLength, left, state) = (byte & 0x7f, 3, .nameLengthRest)
        case .nameLength: (nameLength, state) = (byte, .valueLength)
        case .nameLengthRest:
            nameLength = nameLength << 8 | byte
            left -= 1
            if left == 0 { state = .valueLength }
        case .valueLength where byte >= 0x80: (valueLength, left, state) = (byte & 0x7f, 3, .valueLengthRest)
        case .valueLength:
            valueLength = byte
            beginText()
        case .valueLengthRest:
            valueLength = valueLength << 8 | byte
            left -= 1
            if left == 0 { beginText() }
        case .text: break
        }
    }

    private mutating func beginText() {
        left = nameLength + valueLength
        isTooLarge = left > limit
        state = left == 0 ? .nameLength : .text
    }
}
