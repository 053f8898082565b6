import Testing

@testable import Pages

@Suite struct PolicyReviewTests {
    @Test(arguments: [
        ("<p style=\"color: red\">", ["line 1: a style attribute"]),
        ("<p>\n<b class=a STYLE = 'x'>", ["line 2: a style attribute"]),
        ("<p {{#name}}style=\"{{name}}\"{{/name}}>", ["line 1: a style attribute"]),
        ("<p title=\"a > b\" style=x>", ["line 1: a style attribute"]),
        ("<style>p { color: red }</style>", ["line 1: a <style> element"]),
        ("<script>go()</script>", ["line 1: a <script> element"]),
        ("<script src=\"/a.js\"></script>", ["line 1: a <script> element"]),
        ("<button onclick=\"go()\">", ["line 1: the attribute onclick"]),
        ("<link rel=\"stylesheet\" href=\"https://cdn.example/a.css\">", ["line 1: a <link> element"]),
        ("<link href=/a.css rel='preload StyleSheet'>", ["line 1: a <link> element"]),
        ("<link rel=icon title=stylesheet href=/stylesheet>", []),
        ("<style>{{> style}}</style><script>{{script}}</script>", []),
        ("<p title=\"style=x\" data-style=y class='style'>style=x</p>", []),
        ("<!-- <p style=x> --> {{! <p style=x> }} {{style}} a < b style=x", []),
        ("<p title={{name}}><br/><a href=/style=x>", []),
        ("<p", []), ("<p style", ["line 1: a style attribute"]), ("<p a='", []), ("{{<layout}}", []),
    ])
    func `what the policy of the pages forbids is found in a template with its line`(text: String, found: [String]) {
        let notes = PolicyReview(text).notes
        #expect(notes.count == found.count && zip(notes, found).allSatisfy { $0.hasPrefix($1) })
    }

    @Test(arguments: [
        ("p {}\n@font-face { font-family: a; src: url(/a.woff2) }", ["line 2: @font-face with a font file"]),
        ("@Font-Face{src:local(\"a\"),url(\"https://cdn.example/a.woff2\")}", ["line 1: @font-face with a font file"]),
        ("@import 'a.css';", ["line 1: @import of a style sheet"]),
        ("@font-face { src: local(a) } p { background: url(data:,) }", []), ("/* @import 'a.css'; */", []),
    ])
    func `what the policy of the pages forbids is found in a style sheet with its line`(text: String, found: [String]) {
        let notes = PolicyReview.notes(ofStyleSheet: text)
        #expect(notes.count == found.count && zip(notes, found).allSatisfy { $0.hasPrefix($1) })
    }

    @Test func `the built-in templates have nothing that their policy forbids`() {
        #expect(Template.all.filter { $0.name != "style" }.flatMap { PolicyReview($0.embedded).notes } == [])
        #expect(PolicyReview.notes(ofStyleSheet: Template.style.embedded) == [])
    }
}
