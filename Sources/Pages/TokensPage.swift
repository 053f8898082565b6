/// The page where a member makes and revokes personal tokens.
package struct TokensPage: Sendable, Equatable {
    /// A token of the member.
    package struct Token: Sendable, Equatable {
        package let id: String
        let name: String
        /// Paths with spaces between them.
        let locations: String
        /// The last characters of the token; nil if they are not known.
        let ending: String?
        let created: Day
        let ends: Day
        /// Nil if the token was not used yet.
        let used: Day?

        package init(
            id: String,
            name: String,
            locations: String,
            ending: String?,
            created: Day,
            ends: Day,
            used: Day?
        ) {
            (self.id, self.name, self.locations, self.ending) = (id, name, locations, ending)
            (self.created, self.ends, self.used) = (created, ends, used)
        }
    }

    /// What is in the form that makes a token, as the member wrote it.
    package struct Wish: Sendable, Equatable {
        let name: String
        let locations: String
        let days: String
        /// A value that makes the form work once.
        let formID: String

        package init(name: String = "", locations: String = "/", days: String, formID: String) {
            (self.name, self.locations, self.days, self.formID) = (name, locations, days, formID)
        }
    }

    /// Why no token was made.
    package enum Fault: Sendable, CaseIterable {
        case name
        case locations
        case days
        /// The form is too old, or was not made for this member.
        case form
        /// The member has as many tokens as there may be.
        case full
        /// All members together have as many tokens as there may be.
        case storeFull
    }

    package var tokens: [Token]
    /// A token that was made just now; the page shows it this once.
    package var made: String?
    /// The form, if the member signed in recently enough to make a token; nil if not.
    package var wish: Wish?
    package var maximumDays: Int
    package var fault: Fault?

    package init(tokens: [Token], made: String? = nil, wish: Wish?, maximumDays: Int, fault: Fault? = nil) {
        (self.tokens, self.made, self.wish) = (tokens, made, wish)
        (self.maximumDays, self.fault) = (maximumDays, fault)
    }
}

extension PageFields {
    func tokens(_ page: TokensPage) -> TemplateFields {
        var fields = wording.fields
        fields.set(.newToken, page.made)
        fields.set(.script, CopyScript.text)
        fields.set(
            .fault,
            page.fault.flatMap { $0.text.map { wording[$0] } ?? wording.daysWrong(maximum: page.maximumDays) }
        )
        fields.set(.formWrong, [.form, .full, .storeFull].contains(page.fault))
        fields.set(.nameWrong, page.fault == .name)
        fields.set(.locationsWrong, page.fault == .locations)
        fields.set(.daysWrong, page.fault == .days)
        fields.set(.hasTokens, !page.tokens.isEmpty)
        fields.set(
            .tokens,
            page.tokens.map { token in
                var fields = TemplateFields()
                fields.set(.label, token.name)
                fields.set(.tokenID, token.id)
                fields.set(.locations, token.locations)
                fields.set(.ending, token.ending)
                fields.set(.created, wording.text(token.created))
                fields.set(.ends, wording.text(token.ends))
                fields.set(.used, token.used.map(wording.text))
                return fields
            }
        )
        fields.set(.makesTokens, page.wish != nil)
        fields.set(.formID, page.wish?.formID)
        fields.set(.wantedName, page.wish?.name)
        fields.set(.wantedLocations, page.wish?.locations)
        fields.set(.wantedDays, page.wish?.days)
        fields.set(.maximumDays, String(page.maximumDays))
        fields.set(.target, paths.login(returningTo: paths.tokens))
        return fields
    }
}

extension TokensPage.Fault {
    /// The sentence; nil if it names a number.
    var text: TextKey? {
        switch self {
        case .name: .tokenNameWrong
        case .locations: .tokenLocationsWrong
        case .days: nil
        case .form: .tokenFormOld
        case .full: .tokensFull
        case .storeFull: .tokenStoreFull
        }
    }
}
