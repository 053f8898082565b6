/// The page that sends a kept form after a sign-in, by a button that a script presses if the browser runs scripts.
package struct KeptFormPage: Sendable, Equatable {
    /// The whole script.
    ///
    /// It contains no character that HTML escapes, because the policy allows exactly these bytes.
    static let script = "document.forms.resume.submit()"

    /// The path to which the form is sent; always a path of this site.
    package var target: String
    /// The value of its only field.
    package var token: String

    package init(target: String, token: String) {
        self.target = target
        self.token = token
    }
}
