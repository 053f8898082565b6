/// The page where a member makes and revokes personal tokens.
package struct TokensPage: Sendable, Equatable {
    /// A token of the member.
    package struct Token: Sendable, Equatable {
        let id: String
        let name: String
        /// Paths with spaces between them.
        let locations: String
        /// Days, written as in ISO 8601.
        let ends: String
        /// Nil if the token was not used yet.
        let used: String?

        package init(id: String, name: String, locations: String, ends: String, used: String?) {
            (self.id, self.name, self.locations, self.ends, self.used) = (id, name, locations, ends, used)
        }
    }

    /// What is in the form that makes a token, as the member wrote it.
    package struct Wish: Sendable, Equatable {
        let name: String
        let locations: String
        let days: String

        package init(name: String = "", locations: String = "/", days: String) {
            (self.name, self.locations, self.days) = (name, locations, days)
        }
    }

    /// Why no token was made.
    package enum Fault: Sendable, CaseIterable {
        case name
        case locations
        case days
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
        fields.set(.fault, page.fault.map { wording[$0.text] })
        fields.set(.hasTokens, !page.tokens.isEmpty)
        fields.set(
            .tokens,
            page.tokens.map { token in
                var fields = TemplateFields()
                fields.set(.label, token.name)
                fields.set(.tokenID, token.id)
                fields.set(.locations, token.locations)
                fields.set(.ends, token.ends)
                fields.set(.used, token.used)
                return fields
            }
        )
        fields.set(.makesTokens, page.wish != nil)
        fields.set(.wantedName, page.wish?.name)
        fields.set(.wantedLocations, page.wish?.locations)
        fields.set(.wantedDays, page.wish?.days)
        fields.set(.maximumDays, String(page.maximumDays))
        fields.set(.target, paths.login(returningTo: paths.tokens))
        return fields
    }
}

extension TokensPage.Fault {
    var text: TextKey {
        switch self {
        case .name: .tokenNameWrong
        case .locations: .tokenLocationsWrong
        case .days: .tokenDaysWrong
        case .full: .tokensFull
        case .storeFull: .tokenStoreFull
        }
    }
}
