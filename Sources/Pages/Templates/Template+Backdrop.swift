extension Template {
    /// A drawing in the colors of the style sheet: two peaks, hills in mist and a forest, in the morning or at night.
    ///
    /// The mist `n` follows each layer and is denser further down, so that the next layer stands out. The hills `r` and the
    /// forest `f`, which has a tree at each of its points, are drawn again as their mirror image. Without a style sheet for the
    /// class `scenery`, the drawing has no size, so that pages with an older `style.css` of an operator do not show it.
    static let backdrop = Template(
        name: "backdrop",
        purpose: "the drawing behind every page, without a meaning of its own; an empty file removes the drawing",
        embedded: """
            <svg class="scenery" aria-hidden="true" viewBox="0 0 320 200" preserveAspectRatio="xMidYMax slice" width="0" \
            height="0"><linearGradient id="m" x2="0" y2=".4"><stop stop-opacity="0"/><stop offset="1"/></linearGradient>\
            <radialGradient id="g"><stop/><stop offset="1" stop-opacity="0"/></radialGradient>\
            <marker id="t" overflow="visible">\
            <path d="M0-28l3 9H2l4 9H4l6 22H-9l5-22h-2l4-9h-2zM9-17l5 12 5 21H0l4-21z"/></marker>\
            <path opacity=".36" d="M0 91l17-8 19-15 4 3 6-7 8 10 11 8 21 14 29 10 87-3 17-12 9-11 5-2 7-12 6-6 6-10 5-6 7 8 \
            8 12 7 4 11 10 16 9 14 11V200H0"/>\
            <path fill="var(--dawn)" opacity=".9" d="M257 44l7 8 8 12 7 4 11 10 5 3-11 2-5-5-4 4-8-8-3 5-5-11-4 4 2-11-4 \
            2zM46 64l8 10 11 8 10 6-12-1-6-6-3 3-5-7-4 2z"/><path id="n" fill="url(#m)" d="M0 62h320v138H0"/>\
            <path id="r" opacity=".45" d="M0 100l11-3 12 4 12 2 19 9 8 6 18 5 29 2 22-5 28 6 43 6 33-8 25 2 30-8 30 \
            4V200H0"/><use href="#n" y="42"/><use href="#r" transform="matrix(-1 0 0 1 320 24)"/><use href="#n" y="67"/>\
            <g opacity=".55">\
            <path id="f" stroke-width=".35" marker-mid="url(#t)" d="M-3 164l10 0 7 0 8 4 8-1 7 1 10 2 8 3 10-2 8 4 9 0 10 4 \
            10 0 9-2 7 2 10-1 7 1 7 1 8 1 8 0 7-1 8-2 10 2 10-2 9 3 10-4 7 2 9 1 10-2 8-2 9 0 7 0 8-3 7-2 8-1 10-2 9 2 10-5 \
            10-1V200H0"/></g><use href="#n" y="95"/><use href="#f" transform="matrix(-1.7 0 0 1.7 435 -116)" opacity=".9"/>\
            <path fill="var(--accent)" opacity=".06" d="M0 0h320v200H0"/>\
            <circle cx="298" cy="52" r="34" fill="url(#g)"/>\
            <circle cx="298" cy="52" r="6.5" fill="#fff8ec" opacity=".9"/></svg>

            """
    )
}
