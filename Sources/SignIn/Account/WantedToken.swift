package import Sessions
import Settings

package import struct FoundationEssentials.Date

/// What a member or an operator wants a new personal token to permit, checked.
package struct WantedToken: Sendable, Equatable {
    /// Why there cannot be such a token.
    package enum Fault: Error, Equatable {
        /// The name shows nothing, is longer than 100 characters, or contains a control character.
        case name
        /// There are no locations, or more than 20.
        case locations
        /// This location is not a plain path, or is longer than 200 bytes.
        case path(String)
        /// The life is not between a minute and the longest life.
        case life
    }

    package static let nameLimit = 100
    package static let locationLimit = 20
    package static let pathLimit = 200

    package let name: String
    package let locations: [String]
    /// Seconds.
    package let life: Int

    /// - Parameters:
    ///   - name: A text by which the owner recognizes the token.
    ///   - locations: The paths below which the token may be used.
    ///   - life: Seconds until the token ends.
    ///   - maximumLife: The longest life in seconds.
    /// - Throws: The first fault.
    package init(name: String, locations: [String], life: Int, maximumLife: Int) throws(Fault) {
        let isPrintable = name.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
        guard 1...Self.nameLimit ~= name.count, name.utf8.count <= 4 * Self.nameLimit, isPrintable,
            name.unicodeScalars.contains(where: Self.isVisible)
        else { throw .name }
        var unique: [String] = []
        for location in locations where !unique.contains(location) { unique.append(location) }
        guard 1...Self.locationLimit ~= unique.count else { throw .locations }
        let isWrong = { (path: String) in !PlainPath.isPlain(path) || path.utf8.count > Self.pathLimit }
        if let wrong = unique.first(where: isWrong) { throw .path(wrong) }
        guard 60...max(60, maximumLife) ~= life else { throw .life }
        (self.name, self.locations, self.life) = (name, unique, life)
    }

    private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
        let properties = scalar.properties
        // The Braille pattern without dots is a symbol by its category.
        return !properties.isWhitespace && !properties.isDefaultIgnorableCodePoint
            && properties.generalCategory != .format && scalar != "\u{2800}"
    }

    /// What the store keeps about the token.
    package func grant(to owner: Identity, now: Date) -> TokenGrant {
        TokenGrant(
            owner: owner.member,
            name: name,
            locations: locations,
            created: now,
            expires: now.addingTimeInterval(Double(life))
        )
    }
}
