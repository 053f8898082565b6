/// Reads settings and conditions of lighttpd.
///
/// It reads text that lighttpd would reject as far as possible.
package struct LighttpdParser {
    /// The maximum depth of conditions and lists, and of branches before an `else`; others are skipped.
    private static let deepest = 64

    private var tokens: LighttpdTokens
    private var current: LighttpdToken?
    private var line = 1
    private let file: String
    private var open: [LighttpdBlock] = []

    static func block(_ text: String, file: String) -> LighttpdBlock {
        var parser = LighttpdParser(tokens: LighttpdTokens(text), file: file)
        return parser.all()
    }

    private init(tokens: LighttpdTokens, file: String) {
        self.tokens = tokens
        self.file = file
        advance()
        open = [LighttpdBlock(condition: nil, place: place)]
    }

    private var place: SourcePlace { SourcePlace(file: file, line: line) }

    private mutating func advance() {
        current = tokens.next()
        line = tokens.line
    }

    /// Consumes the next token if it is the sign.
    private mutating func takes(_ sign: String) -> Bool {
        guard current == .sign(sign) else { return false }
        advance()
        return true
    }

    private mutating func all() -> LighttpdBlock {
        while let token = current {
            switch token {
            case .sign("$"): condition()
            case .sign("}"):
                advance()
                if open.count > 1 { close() }
            case .word("else"): alternative()
            case .word(let name): setting(name)
            case .sign, .string: advance()
            }
        }
        while open.count > 1 { close() }
        return open[0]
    }

    private mutating func close() {
        let block = open.removeLast()
        // `config {`, as lighttpd -pp prints it, and `global {` contain settings without a condition.
        guard block.condition == nil else { return open[open.count - 1].blocks.append(block) }
        open[open.count - 1].settings += block.settings
        open[open.count - 1].blocks += block.blocks
    }

    /// Reads the `else` of the block before it.
    private mutating func alternative() {
        advance()
        let before = open[open.count - 1].blocks.last
        let others = (before?.excluded ?? []).suffix(Self.deepest)
        let excluded = others + [before?.condition?.opposite].compactMap(\.self)
        guard current == .sign("{") else { return condition(excluding: Array(excluded)) }
        let block = LighttpdBlock(condition: excluded.last, place: place, excluded: Array(excluded.dropLast()))
        advance()
        begin(block)
    }

    private mutating func condition(excluding excluded: [LighttpdCondition] = []) {
        let place = place
        advance()
        guard case .word(let variable)? = current else { return }
        advance()
        guard takes("["), case .string(let key)? = current else { return }
        advance()
        guard takes("]"), case .sign(let comparison)? = current else { return }
        advance()
        guard case .string(let value)? = current else { return }
        advance()
        guard takes("{") else { return }
        let condition = LighttpdCondition(variable: variable, key: key, comparison: comparison, value: value)
        begin(LighttpdBlock(condition: condition, place: place, excluded: excluded))
    }

    private mutating func begin(_ block: LighttpdBlock) {
        if open.count < Self.deepest { open.append(block) }
    }

    private mutating func setting(_ name: String) {
        let place = place
        advance()
        switch current {
        case .sign("="), .sign(":="), .sign("+="):
            let isMore = current == .sign("+=")
            advance()
            guard let value = value(depth: 0) else { return }
            append(name, value, place, isMore: isMore)
        case .sign("{"):
            advance()
            begin(LighttpdBlock(condition: nil, place: place))
        case .sign, .word, .string, nil: break
        }
    }

    private mutating func append(_ name: String, _ value: LighttpdValue, _ place: SourcePlace, isMore: Bool) {
        let before = isMore ? open[open.count - 1].setting(name)?.value.members ?? [] : []
        let whole = before.isEmpty ? value : .list(before + value.members)
        open[open.count - 1].settings.append(.init(name: name, value: whole, place: place))
    }

    private mutating func value(depth: Int) -> LighttpdValue? {
        var value: LighttpdValue?
        switch current {
        case .string(let text)?, .word(let text)?:
            advance()
            value = .text(text)
        case .sign("(")?:
            advance()
            value = .list(members(depth: depth + 1))
        case .sign, nil: return nil
        }
        // Of concatenated strings, only the first matters here.
        while current == .sign("+") {
            advance()
            _ = self.value(depth: depth + 1)
        }
        return value
    }

    private mutating func members(depth: Int) -> [LighttpdValue.Member] {
        var members: [LighttpdValue.Member] = []
        while let token = current, token != .sign(")") {
            guard depth < Self.deepest, let value = value(depth: depth) else {
                // A brace ends a list without a closing parenthesis.
                if token == .sign("{") || token == .sign("}") { return members }
                advance()
                continue
            }
            guard takes("=>") else {
                members.append(.init(key: nil, value: value))
                continue
            }
            members.append(.init(key: value.text, value: self.value(depth: depth) ?? .text("")))
        }
        _ = takes(")")
        return members
    }
}
