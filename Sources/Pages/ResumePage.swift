/// The page that sends a form that was kept during a sign-in: by a button, and by itself where scripts are allowed.
package struct ResumePage: Sendable, Equatable {
    /// All of the script.
    ///
    /// It holds nothing that HTML would escape, for the policy allows exactly these bytes.
    static let script = "document.forms.resume.submit()"

    /// The path that the form goes to, known to be local.
    package var target: String
    /// The value of its one field.
    package var token: String

    package init(target: String, token: String) {
        self.target = target
        self.token = token
    }
}
