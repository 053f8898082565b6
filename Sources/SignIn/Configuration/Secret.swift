/// A text that prints as `<redacted>` and must be asked for by name.
package struct Secret: Sendable, Equatable, CustomStringConvertible, CustomReflectable {
    package let revealed: String

    package init(_ text: String) {
        revealed = text
    }

    package var description: String { "<redacted>" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
