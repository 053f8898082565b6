package import Sessions
import Settings

/// The providers from which a visitor chooses one, on the home page and on a page of its own.
package struct ProviderChoice: Sendable, Equatable {
    /// The local path to which the sign-in leads; the sign-in route checks it again.
    package var returnPath: String?
    /// The provider of the last sign-in in this browser, which is offered first.
    package var last: ProviderID?
    /// Whether the sign-in leads to a kept form.
    package var keepsForm: Bool

    package init(returnPath: String? = nil, last: ProviderID? = nil, keepsForm: Bool = false) {
        (self.returnPath, self.last, self.keepsForm) = (returnPath, last, keepsForm)
    }

    /// Sets the fields of the template `providers`.
    func add(to fields: inout TemplateFields, in context: PageContext) {
        let all = context.providers
        let sorted = all.filter { $0.label.id == last } + all.filter { $0.label.id != last }
        fields.set(.hasProviders, true)
        fields.set(
            .providers,
            sorted.map { provider in
                var fields = TemplateFields()
                fields.set(.label, provider.signIn)
                fields.set(.target, context.paths.login(returningTo: returnPath, at: provider.label.id))
                fields.set(.providerID, "\(provider.label.id)")
                fields.set(.providerName, provider.label.name)
                fields.set(.mark, provider.label.logo?.url)
                fields.set(.isLast, provider.label.id == last)
                return fields
            }
        )
    }
}

/// The page where a visitor chooses one of several providers.
struct ChoicePage {
    let choice: ProviderChoice
}

extension Page {
    /// The page where a visitor chooses one of several providers.
    package static func choice(_ choice: ProviderChoice) -> Page { Page(content: ChoicePage(choice: choice)) }
}

extension TemplateField {
    /// The fields of the template `providers`.
    static let choice: [TemplateField] = [
        .hasProviders, .providers, .label, .target, .providerID, .providerName, .mark, .isLast,
    ]
    static let providers = Self(
        "providers",
        "list of the providers from which the visitor chooses, beginning with the provider of the last sign-in; each has "
            + "`label`, `target`, `providerID`, `providerName`, `mark` and `isLast`"
    )
    static let hasProviders = Self(
        "hasProviders",
        "whether the list `providers` has any element, that is, whether the site has several providers"
    )
    static let providerID = Self("providerID", "in `providers`: the ID of the provider")
    static let providerName = Self("providerName", "in `providers`: the name of the provider")
    static let mark =
        Self("mark", "in `providers`: the provider's mark as a `data:` URL; absent if the provider has no mark")
    static let isLast = Self("isLast", "in `providers`: whether the last sign-in in this browser was at this provider")
    static let formKept = Self(
        "formKept",
        "a text that says how long the site keeps the form of this sign-in, and when the site sends the form; absent without a "
            + "kept form"
    )
}

extension ChoicePage: PageContent {
    var holdsForm: Bool { false }

    func add(to fields: inout TemplateFields, in context: PageContext) {
        choice.add(to: &fields, in: context)
        fields.set(.formKept, choice.keepsForm ? context.wording[.choiceForm] : nil)
    }

    static func samples(contact: String) -> [PageSample] {
        [
            PageSample("choice", ChoicePage(choice: ProviderChoice())),
            PageSample("choice-again", ChoicePage(choice: ProviderChoice(last: .linkedIn, keepsForm: true))),
        ]
    }

    static let template = Template(
        name: "choice",
        purpose: "the page where a visitor chooses one of several providers",
        fields: TemplateField.choice + [.formKept],
        embedded: """
            {{<layout}}
            {{$title}}{{text.welcomeTitle}}{{/title}}
            {{$main}}
            <h1>{{text.welcomeTitle}}</h1>
            <p class="lead">{{text.choiceLead}}</p>
            {{#formKept}}
            <p class="note">{{formKept}}</p>
            {{/formKept}}
            <p class="actions">
            {{> providers}}
            </p>
            {{/main}}
            {{/layout}}

            """
    )
}
