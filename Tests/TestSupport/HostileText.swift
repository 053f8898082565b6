/// Texts that have broken out of pages elsewhere, and some made for this program's own weak points.
package enum HostileText {
    package static let all = elements + attributes + graphemes + templates + oddities

    private static let elements = [
        "<script>alert(1)</script>", "<ScRiPt src=//evil.example>", "<img src=x onerror=alert(1)>",
        "<svg/onload=alert(1)>", "<iframe srcdoc='<script>alert(1)</script>'>", "</title><script>alert(1)</script>",
        "</style><script>alert(1)</script>", "<!--><script>alert(1)</script>-->",
        "<![CDATA[<script>alert(1)</script>]]>",
        "<a href=javascript:alert(1)>x</a>", "<base href=//evil.example/>", "<meta http-equiv=refresh content=0>",
        "<form action=//evil.example><button>",
        "<math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>",
        "<details open ontoggle=alert(1)>", "<\u{0020}script>alert(1)</script>", "<<script>alert(1)//<</script>",
    ]

    private static let attributes = [
        "\" onmouseover=\"alert(1)", "' onfocus='alert(1)' autofocus='", "\"><script>alert(1)</script>",
        "` onerror=alert(1)",
        "\"/><svg onload=alert(1)>", "&quot; onclick=alert(1) &quot;", "x\" style=\"position:fixed;inset:0",
        "javascript:alert(1)", "JaVaScRiPt:alert(1)", "java&#x73;cript:alert(1)",
        "data:text/html,<script>alert(1)</script>",
    ]

    /// A markup character that forms one `Character` with its neighbour is not equal to the same character alone.
    private static let graphemes = [
        "\u{600}<script>alert(1)</script>", "\u{6dd}<img src=x onerror=alert(1)>", "\u{110bd}<svg onload=alert(1)>",
        "\"\u{301} onmouseover=alert(1) x=", "\"\u{fe0f} autofocus onfocus=alert(1) x=", "'\u{200d} onclick=alert(1) ",
        "<\u{338}script>", "&\u{301}lt;", ">\u{20e3}", "\u{600}\"><script>alert(1)</script>", "\u{600}&lt;",
    ]

    private static let templates = [
        "{{name}}", "{{{name}}}", "{{#name}}x{{/name}}", "{{> layout}}", "{{=<% %>=}}", "{{", "}}",
        "{{%CONTENT_TYPE:TEXT}}",
        "{provider}", "${7*7}", "#{7*7}", "%7B%7B",
    ]

    private static let oddities = [
        "&", "&amp;", "&lt;script&gt;", "&#60;script&#62;", "&notanentity", "\u{202e}gnp.exe", "\u{2028}\u{2029}",
        "\u{feff}",
        "\u{85}", "\u{ff1c}script\u{ff1e}", "王小明", "👩‍👩‍👧‍👦", "Z\u{310}\u{301}\u{35f}a\u{334}l\u{335}go", "\u{10ffff}", " ",
        String(repeating: "a", count: 10_000), "+ADw-script+AD4-alert(1)+ADw-/script+AD4-",
    ]
}
