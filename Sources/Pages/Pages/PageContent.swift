/// What one page shows, with its template and its policy.
protocol PageContent: Sendable {
    /// The template of the page.
    static var template: Template { get }
    /// Whether the page contains a form, so that the browser must send `Origin` with it.
    var holdsForm: Bool { get }
    /// The script that the policy of the page allows; nil if the page contains none.
    var script: PageScript? { get }
    /// Whether a reload shows another page, so that the page has no menu of the languages.
    var isShownOnce: Bool { get }

    /// Sets the fields of the template, except those of every page and `script`.
    func add(to fields: inout TemplateFields, in context: PageContext)

    /// Makes the page with invented data, in each state with a different appearance.
    ///
    /// `contact` is `SIGNIN_CONTACT`, or an invented address.
    static func samples(contact: String) -> [PageSample]
}

extension PageContent {
    var script: PageScript? { nil }
    var isShownOnce: Bool { false }

    /// All fields of the page with their values.
    func fields(in context: PageContext) -> TemplateFields {
        var fields = context.wording.fields
        add(to: &fields, in: context)
        fields.set(.script, script?.text)
        return fields
    }
}
