/// The page that sends a kept form after a sign-in, by a button that a script presses if the browser runs scripts.
package struct KeptFormPage: Sendable, Equatable {
    /// The whole script.
    ///
    /// It contains no character that HTML escapes, because the policy allows exactly these bytes.
    static let script = "document.forms.resume.submit()"

    /// The path to which the form is sent, known to be local.
    package var target: String
    /// The value of the form's only field.
    package var token: String

    package init(target: String, token: String) {
        self.target = target
        self.token = token
    }
}
