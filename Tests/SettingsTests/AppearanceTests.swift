import Testing

@testable import Settings

struct AppearanceTests {
    @Test(arguments: [("#0a66c2", "0a66c2"), ("#FFCC00", "ffcc00"), ("#fc0", "ffcc00"), ("#000", "000000")])
    func `a color is # with three or six hexadecimal digits`(text: String, digits: String) {
        #expect(Color(text)?.digits == digits)
    }

    @Test(arguments: [
        "", "#", "red", "0a66c2", "#0a66c", "#0a66c2ff", "#0a66g2", "# a66c2", "#０a66c2", "rgb(1,2,3)", "#fff;}",
    ])
    func `any other text is not a color`(text: String) {
        #expect(Color(text) == nil)
    }

    @Test(arguments: [
        ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0], "data:image/png;base64,iVBORw0KGgoA"),
        ([0xFF, 0xD8, 0xFF, 0xE0], "data:image/jpeg;base64,/9j/4A=="),
        (Array("GIF89a".utf8), "data:image/gif;base64,R0lGODlh"),
        (Array("RIFF0000WEBP".utf8), "data:image/webp;base64,UklGRjAwMDBXRUJQ"),
    ])
    func `the content of a logo decides its type`(bytes: [UInt8], url: String) throws {
        #expect(try Logo(bytes).url == url)
    }

    @Test(arguments: [
        "", "\u{FEFF}", "<?xml version=\"1.0\"?>\n", "<!-- > made by hand -->\n<?xml version=\"1.0\"?> ",
        "<!DOCTYPE svg PUBLIC \"-//W3C//DTD SVG 1.1//EN\" \"http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd\">",
        "<!DOCTYPE svg [<!ENTITY ns \"a\">]>\n", "<!DOCTYPE svg [\r\n<!ENTITY ns \"a\">\r\n] >\r\n",
    ])
    func `an SVG logo may begin as XML does`(beginning: String) throws {
        let text = beginning + "<svg\n width=\"1\" xmlns=\"http://www.w3.org/2000/svg\"/>"
        #expect(try Logo(Array(text.utf8)).url.hasPrefix("data:image/svg+xml;base64,"))
    }

    @Test(arguments: [
        "", "<html>", "<!DOCTYPE html><html><svg xmlns=\"http://www.w3.org/2000/svg\">",
        "<svgs xmlns=\"http://www.w3.org/2000/svg\">", "<!-- <svg>", "BM",
        "<?xml",
        "\u{FEFF}",
    ])
    func `a file that is not a picture is rejected`(text: String) {
        #expect(throws: Logo.Unusable.self) { try Logo(Array(text.utf8)) }
    }

    @Test(arguments: [
        "<svg xmlns='http://www.w3.org/2000/svg'>", "<svg id=\"a>b\"\txmlns = \"http://www.w3.org/2000/svg\"/>",
        """
        <!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd" [
            <!ENTITY ns_xlink "http://www.w3.org/1999/xlink">
            <!ENTITY ns_svg "http://www.w3.org/2000/svg">
        ]>
        <svg version="1.1" xmlns="&ns_svg;" xmlns:xlink="&ns_xlink;" width="9">
        """,
    ])
    func `an SVG logo names its namespace as XML allows, also by an entity`(text: String) throws {
        #expect(try Logo(Array(text.utf8)).url.hasPrefix("data:image/svg+xml;base64,"))
    }

    @Test(arguments: [
        "<svg width=\"9\"/>", "<svg>", "<svg xmlns:svg=\"http://www.w3.org/2000/svg\">",
        "<svg xmlns=\"&ns_svg;\">", "<svg id=' xmlns=\"http://www.w3.org/2000/svg\"'>",
        "<svg><a href=\"http://www.w3.org/2000/svg\"/></svg>",
    ])
    func `an SVG logo that browsers do not show is rejected with what to add`(text: String) {
        let error = #expect(throws: Logo.Unusable.self) { try Logo(Array(text.utf8)) }
        #expect(error?.description.hasSuffix("add xmlns=\"http://www.w3.org/2000/svg\" to its first tag") == true)
    }
}
