extension Template {
    /// For light and dark schemes, widths from 320 px, and forced colors; loads no fonts or pictures.
    ///
    /// Pages contain `compactStyle`.
    /// In both schemes, text has a contrast of at least 4.5 to 1 and controls of at least 3 to 1 (WCAG 2.2, 1.4.3 and
    /// 1.4.11). It is a partial, so that it is not escaped.
    static let style = Template(
        name: "style",
        purpose: "the style sheet of every page",
        embedded: """
            :root {
              color-scheme: light dark;
              --page: #eef1f5; --card: #fff; --ink: #1c232b; --quiet: #55606c; --line: #d9dfe6; --edge: #7b8794;
              --accent: #0a66c2; --accent-strong: #004182; --on-accent: #fff; --link: #0a66c2; --tint: #eaf3fc; --done: #1c7349;
              --brand: #0a66c2; --brand-edge: #0a66c2; --good-tint: #e7f5ec; --bad: #b3261e; --bad-tint: #fdecea;
              --rim: #0a66c2; --sky: #8fbbe8; --dawn: #f1f6fb; --ridge: #1f4468;
            }
            @media (prefers-color-scheme: dark) {
              :root {
                --page: #14181d; --card: #1e242b; --ink: #e8edf2; --quiet: #a7b2bf; --line: #333c47; --edge: #75818f;
                --link: #70b5f9; --tint: #1b2e42; --done: #6fcf9b; --rim: #1a70cc; --brand-edge: #1a70cc;
                --good-tint: #16301f; --bad: #f28b82; --bad-tint: #3b1f1d;
                --sky: #0a1119; --dawn: #22364d; --ridge: #04070b;
              }
            }
            * { box-sizing: border-box; }
            body {
              margin: 0; min-height: 100svh; padding: 1rem; display: flex; flex-direction: column; align-items: center;
              background: var(--page); color: var(--ink); line-height: 1.55; overflow-wrap: anywhere;
              font-family: system-ui, var(--han, sans-serif), sans-serif;
            }
            :lang(zh-Hans) { --han: "PingFang SC", "Microsoft YaHei", "Noto Sans CJK SC", "Noto Sans SC" }
            :lang(zh-Hant) { --han: "PingFang TC", "Microsoft JhengHei", "Noto Sans CJK TC", "Noto Sans TC" }
            :lang(ja) { --han: "Hiragino Sans", "Yu Gothic", "Noto Sans CJK JP", "Noto Sans JP" }
            .scenery {
              position: fixed; inset: 0; z-index: -1; width: 100%; height: 100%; fill: var(--ridge); object-fit: cover;
              background: linear-gradient(var(--sky), var(--dawn) 60%);
            }
            .scenery stop { stop-color: var(--dawn); }
            header, main { width: 100%; max-width: 30rem; }
            body::before, body::after { content: ""; flex: 1; }
            body::after { flex: 1.2; }
            body:has(summary)::before { flex: 0 5vh; }
            header { margin: .5rem 0 1rem; }
            main {
              background: var(--card); border: 1px solid var(--line); border-radius: 1rem; padding: 2rem;
              box-shadow: 0 1px 2px #0001, 0 20px 48px -20px #0006;
            }
            h1 { font-size: 1.75rem; line-height: 1.2; letter-spacing: -.02em; margin: 0 0 .75rem; text-wrap: balance; }
            h1:lang(de), .control:lang(de) { hyphens: auto; }
            h1:lang(ja), .control:lang(ja), p:lang(ja), p:lang(zh) { word-break: auto-phrase; }
            h1 + .member, h1 + .note { margin-top: 1.25rem; }
            h2 { font-size: 1rem; margin: 0 0 .25rem; }
            p, dl, .copy, .token, .member, .note { margin: 0 0 1rem; }
            p { text-wrap: pretty; }
            a { color: var(--link); }
            a[href^="mailto:"] { display: inline-block; }
            :focus-visible { outline: 3px solid var(--link); outline-offset: 3px; }
            .brand {
              display: inline-flex; align-items: center; gap: .75rem; min-height: 2.25rem;
              color: var(--ink); font-size: 1.25rem; font-weight: 600; text-decoration: none;
            }
            .brand::before {
              content: ""; flex: none; width: 2.25rem; height: 2.25rem; border-radius: .65rem; background:
                radial-gradient(circle at 50% 38%, var(--on-accent) 0 .35rem, transparent .37rem),
                radial-gradient(circle at 50% 104%, var(--on-accent) 0 .68rem, transparent .7rem), var(--accent);
            }
            .home { display: inline-flex; max-width: 100%; }
            .logo { height: 3rem; max-width: 100%; object-fit: contain; }
            .lead { font-size: 1.0625rem; }
            .quiet, .request, .sessions { color: var(--quiet); font-size: .875rem; }
            .control, button, input { border: 1px solid var(--edge); background: none; color: var(--ink); font: inherit; }
            .control, button {
              display: inline-block; min-height: 2.75rem; padding: .55rem 1.25rem; border-radius: 1.5rem; font-weight: 600;
              text-align: center; text-wrap: balance; text-decoration: none; cursor: pointer;
            }
            .control:hover, button:hover { border-color: var(--link); color: var(--link); background: var(--tint); }
            .primary { background: var(--accent); border-color: var(--rim); color: var(--on-accent); }
            .primary:hover { background: var(--accent-strong); color: var(--on-accent); }
            .signin {
              display: flex; align-items: center; justify-content: center; gap: .65rem; width: 100%; min-height: 3rem; text-align: start;
            }
            .signin:not(.other) {
              background: var(--brand); border-color: var(--own-edge, var(--brand-edge)); color: var(--on-brand, #fff);
            }
            .signin:not(.other):hover { background: var(--brand-strong, #004182); }
            .other { border-color: var(--own-edge, var(--edge)); }
            .provider { display: block; width: 100%; text-align: center; }
            .provider .signin { position: relative; padding-inline: 2.875rem; text-align: center; }
            .provider .mark { position: absolute; inset-inline-start: 1.25rem; }
            .other img { border-radius: .3rem; padding: .1rem; background: #fff; }
            .mark { flex: none; width: 1.5rem; height: 1.5rem; object-fit: contain; fill: none; stroke: currentColor; stroke-width: 2; }
            .danger, .danger:hover { background: #b3261e; border-color: var(--bad); color: #fff; }
            .danger:hover { background: #8c1d18; }
            button { padding: .4rem 1rem; font-size: .875rem; min-height: 2.5rem; }
            .actions, .sessions, .request { margin: 1.5rem 0 0; }
            .actions { display: flex; flex-wrap: wrap; gap: .75rem; }
            .actions .control, .actions form { flex: auto; }
            .actions form .control { width: 100%; }
            [hidden] { display: none; }
            .copy { display: flex; flex-wrap: wrap; gap: .5rem .75rem; align-items: center; }
            .copy p { flex: 100%; margin: 0; }
            .account { margin: 1.5rem 0 -1rem; }
            .account :is(a, button) {
              display: flex; justify-content: space-between; align-items: center; width: 100%; min-height: 2.75rem;
              padding: .5rem 0; border: 0; border-top: 1px solid var(--line); border-radius: 0; background: none;
              color: var(--ink); font-weight: 400; font-size: .9375rem; text-align: start; text-decoration: none;
            }
            .account :is(a, button)::after { content: "\\203A" / ""; color: var(--quiet); padding-inline-start: 1rem; }
            .brand:hover, .account :is(a, button):hover, .languages a:hover { color: var(--link); text-decoration: underline; }
            .account .delete { color: var(--bad); }
            form + details { margin-top: 1rem; }
            summary { min-height: 2.25rem; padding: .4rem 0; color: var(--link); cursor: pointer; }
            .actions + dl { margin: 1.5rem 0 .25rem; }
            .member { display: flex; gap: 1rem; align-items: center; min-width: 0; }
            .who { margin: 0; min-width: 0; }
            .who strong, .who .quiet { display: block; }
            .who .quiet { overflow-wrap: break-word; }
            .portrait {
              flex: none; width: 3.5rem; height: 3.5rem; border-radius: 50%; background: var(--tint); color: var(--link);
              font-size: 1.375rem; font-weight: 600; line-height: 3.5rem; text-align: center; object-fit: cover;
            }
            .token, .fields { border-top: 1px solid var(--line); padding-top: 1rem; }
            .token code { white-space: nowrap; }
            .fields label { display: block; margin: .75rem 0 .25rem; font-size: .875rem; }
            .fields input { width: 100%; min-height: 2.5rem; padding: .4rem .75rem; border-radius: .75rem; }
            .fields :is(.quiet, .note) { margin-top: .5rem; }
            .note { background: var(--tint); border-radius: .75rem; padding: 1rem 1.25rem; }
            .note p:last-child, .note .copy, dd { margin: 0; }
            .fault { background: var(--bad-tint); border-inline-start: .25rem solid var(--bad); }
            .made { background: var(--good-tint); border-inline-start: .25rem solid var(--done); }
            .fields [aria-invalid] { border: 2px solid var(--bad); }
            dl { display: grid; grid-template-columns: auto 1fr; gap: .25rem 1rem; font-size: .875rem; }
            dt { color: var(--quiet); }
            .request { padding-top: .75rem; border-top: 1px solid var(--line); font-size: .8125rem; }
            main ~ * { max-width: 30rem; margin: .75rem 0 0; }
            main ~ *, img.scenery ~ header { padding: .1rem .75rem; border-radius: 1rem; background: var(--card); }
            .languages { border-top: 1px solid var(--line); font-size: .8125rem; text-align: center; text-wrap: balance; }
            main > .languages { margin: 1.5rem -1rem -.75rem; padding-top: .75rem; }
            .languages * { display: inline-block; margin: 0 .3rem; padding: .35rem 0; }
            .languages a { color: var(--quiet); text-decoration: none; }
            .languages span { font-weight: 600; }
            .own { user-select: all; }
            @media (max-width: 26rem) {
              body { padding: .75rem; }
              main { padding: 1.25rem 1rem; }
              h1 { font-size: 1.375rem; }
              .actions .control, .actions form { flex-basis: 100%; }
            }
            @media (prefers-contrast: more), (forced-colors: active), print {
              .scenery { display: none; }
            }
            @media (forced-colors: active) {
              .primary { border-width: 2px; }
            }
            """
    )

    /// The built-in style sheet without the spaces that browsers ignore, about 1,100 bytes less in each page.
    static let compactStyle: String = {
        let text = style.embedded.split(separator: "\n").map { $0.drop { $0 == " " } }.joined()
        return ["{", "}", ";", ":", ","].reduce(text) { text, mark in
            // A space before a colon begins a selector such as `body ::before`.
            (mark == ":" ? text : text.replacing(" \(mark)", with: mark)).replacing("\(mark) ", with: mark)
        }.replacing(";}", with: "}")
    }()
}
