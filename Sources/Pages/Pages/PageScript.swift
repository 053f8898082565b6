/// A script of pages, which their policy allows by its hash.
enum PageScript: CaseIterable {
    /// Copies the text of the element `link`; without scripts or `navigator.clipboard`, the button stays hidden and the
    /// visitor can select the text.
    case copy
    /// Sends the form `resume` without a click.
    case send

    /// The script; it contains no character that HTML escapes, because the policy allows exactly these bytes.
    var text: String {
        switch self {
        case .copy:
            """
            const link = document.getElementById(`link`), copy = document.getElementById(`copy`);
            copy.hidden = !navigator.clipboard;
            copy.onclick = function () {
              navigator.clipboard.writeText(link.value || link.textContent).then(
                function () { document.getElementById(`copied`).textContent = copy.dataset.done },
                function () { getSelection().selectAllChildren(link) })
            };
            """
        case .send: "document.forms.resume.submit()"
        }
    }

    /// The other sites to which forms of a page with this script may lead.
    var formTargets: [String] {
        switch self {
        case .copy: []
        // The application that receives the form may redirect to any https site.
        case .send: ["https:"]
        }
    }
}
