import Pages

/// The page docs/pages.md.
enum PagesDocumentation {
    static var text: String {
        """
        \(introduction)

        ### Files

        \(TemplateReference.files)

        ### Tags of every page

        \(TemplateReference.commonTags)

        ### Tags of some pages

        \(TemplateReference.pageTags)

        ### Texts

        The texts that depend on a number, and the texts of error pages, have no tag of their own: tags in the tables above,
        such as `received` and `happened`, contain these texts.

        \(TemplateReference.texts)
        """
    }

    private static let introduction = """
        # Pages

        You can change the color, the logo, the texts and the markup of the pages of linkedin-signin. The command
        `linkedin-signin print-templates` prints this documentation.

        On this page: [Color and logos](#color-and-logos), [Templates and texts](#templates-and-texts), [Look at all
        pages](#look-at-all-pages), [Reference](#reference).

        ## Color and logos

        The following settings, in `/etc/linkedin-signin/settings`, need no template. `sudo systemctl reload
        linkedin-signin.service` applies the settings, and reads a changed file of a logo again:

        ```ini
        SIGNIN_SITE_NAME=Example Club
        SIGNIN_CONTACT=office@example.com
        SIGNIN_ACCENT_COLOR=#8a1538
        SIGNIN_LOGO=/etc/linkedin-signin/logo.svg
        SIGNIN_PROVIDER_LOGO=/etc/linkedin-signin/linkedin.svg
        ```

        `SIGNIN_CONTACT` is for members whom a rule rejects: the page *This account has no access* shows the contact after
        *To ask for access:*. An e-mail address becomes a link.

        `SIGNIN_ACCENT_COLOR` is the color of the main button of each page and of links. The button that signs in is
        LinkedIn's blue, the button that deletes data is red, and all other buttons have only a frame. The text of the main
        button is black or white, whichever is easier to read. If your color is hard to read as a link (a contrast lower
        than 4.5 to 1), the program makes links, and the frame around the focused control, darker, or lighter in the dark
        theme, and `linkedin-signin check` prints the color of links. You can therefore choose every color, and visitors can
        read all text (WCAG 2.2, AA).

        The logo in `SIGNIN_LOGO` is at the top of each page, 48 pixels high, in place of the site's name, which
        `SIGNIN_SITE_NAME` sets. Screen readers still say the site's name. Each page contains the logo, so the file of
        the logo must have at most 32 KiB. The background of a page is light or dark, as the browser of the visitor
        prefers. An SVG file can contain other colors for the dark background, in a block `@media (prefers-color-scheme:
        dark)`. Browsers do not run scripts in the logo.

        Behind each page is a drawing of mountains, in the morning or at night, with a tint of the color in
        `SIGNIN_ACCENT_COLOR`. Browsers leave out the drawing in print, and for visitors who prefer more contrast or
        force their own colors. For another drawing, change the [template](#templates-and-texts) `backdrop.mustache`; an
        empty `backdrop.mustache` removes the drawing. A `backdrop.mustache` with an `img` element of the class
        `scenery`, such as `<img class="scenery" src="https://www.example.com/forest.jpg" alt="">`, shows your own
        picture. Browsers load the picture only if `SIGNIN_PICTURE_ORIGINS` names its origin, here
        `https://www.example.com`. If this origin is your site, the path of the picture must be open to visitors who are
        not signed in. In front of a picture, the name or the logo of the site has a background of its own, so that
        visitors can read it. `preview` shows only pictures from `data:` URLs.

        Without `SIGNIN_PROVIDER_LOGO`, the button that signs in shows a neutral mark, or no mark if the page has
        several of these buttons. The program does not contain LinkedIn's logo, because LinkedIn's brand guidelines
        decide who may show the logo, and how. To show LinkedIn's logo on the button, download the official logo from
        LinkedIn's brand page, and name your copy in `SIGNIN_PROVIDER_LOGO`. The button that signs in is blue and shows
        the logo as a mark, 24 pixels wide and high, so choose the white version. LinkedIn also offers a picture of the
        whole button: to show it, change the [template](#templates-and-texts) `sign-in.mustache`.

        A file that adds a provider can have its own `SIGNIN_PROVIDER_LOGO`. `SIGNIN_PROVIDER_COLOR=#4b3190` replaces the blue of the
        button that signs in with this provider. If the site has several providers, only the first button on a page is filled with
        the color of its provider, and each other button has a frame in the color of its provider.

        For other colors, fonts or shapes, change the style sheet `style.css`, which is one of the
        [templates](#templates-and-texts). `SIGNIN_ACCENT_COLOR` changes only the built-in style sheet, so write your colors
        into your own `style.css`. `SIGNIN_PROVIDER_COLOR` also changes only the built-in style sheet. `linkedin-signin check`
        prints a note if you have your own `style.css` and one of the settings `SIGNIN_ACCENT_COLOR` and `SIGNIN_PROVIDER_COLOR`.

        ## Templates and texts

        Write the built-in templates to a folder:

        ```sh
        sudo linkedin-signin print-templates /etc/linkedin-signin/templates
        ```

        Keep only the files that you change, and delete the other files: an upgrade cannot improve a file in your folder. Name
        the folder with your templates in `SIGNIN_TEMPLATES`:

        ```ini
        SIGNIN_TEMPLATES=/etc/linkedin-signin/templates
        ```

        `linkedin-signin check` lists the mistakes in all files of the folder. Changes of your templates take effect after a
        reload. If a file of the folder has a mistake, the program rejects the reload and keeps the old pages.

        ### Change a text, or add a language

        The built-in languages are English, German, French, Spanish, Japanese, and Chinese (simplified and traditional). A file
        `languages/xx.txt` in the folder of the templates replaces texts of the language `xx`, or adds this language. For
        example, a file `languages/de.txt` with this line changes one German text of the home page:

        ```
        welcomeLead = Melden Sie sich mit Ihrem Konto bei {provider} an.
        ```

        The file needs only the texts that you change. For all other texts, the program uses the built-in texts of the language,
        or the English texts if the language is new. To find a text, search the file of the language that `print-templates`
        wrote. The comment at the beginning of `languages/en.txt` explains placeholders and plural forms. A reload applies the
        file.

        The program shows a page in the language that the browser of the visitor prefers. If the program does not have any
        language of the browser, the page is in English. At the end of a page, the visitor can choose another language, which
        the cookie `__Host-language` stores for a year. Pages that a link could not show again have no menu of languages: a page
        that is the response to a form, a page with a new personal token, and an error page of `/login` or `/oauth`, whose
        address starts or completes a sign-in.

        ### Imprint and privacy policy

        The file `footer.mustache` in the folder of the templates is the end of every page. For example:

        ```
        <p><a href="/imprint/">Imprint</a> · <a href="/privacy/">Privacy policy</a></p>
        ```

        For a privacy policy, [Personal data](security.md#personal-data) lists what linkedin-signin stores.

        ### The language of the templates

        The templates are [Mustache](https://mustache.github.io) with template inheritance. The program escapes every value.

        | tag | what it does |
        | --- | --- |
        | `{{name}}` | prints a value |
        | `{{#name}}` … `{{/name}}` | shows the text between the two tags if the value exists; for a list, once for each element |
        | `{{^name}}` … `{{/name}}` | shows the text between the two tags if the value does not exist |
        | `{{> file}}` | includes `file.mustache`, which can be a file of your own |
        | `{{<layout}}` … `{{/layout}}` | fills the blocks of `layout.mustache` |
        | `{{$main}}` … `{{/main}}` | a block: `title` or `main` |
        | `{{! text }}` | a comment |

        The content security policy of the pages allows `style.css`, the program's script, and pictures from `data:` URLs,
        LinkedIn and `SIGNIN_PICTURE_ORIGINS`. The content security policy allows no other script or style, no font files, and
        no `style` attributes. `linkedin-signin check` prints a note if a template or `style.css` contains a script, style,
        font file or attribute that the policy does not allow.

        ## Look at all pages

        `linkedin-signin preview` writes every page with invented data, in every language and both themes, and `index.html` with
        links to all pages. On a server without a browser, copy the folder `pages` to your computer, for example with `scp
        -r`, and open `index.html` there:

        ```sh
        sudo linkedin-signin preview pages
        ```

        `preview` needs only the settings of the pages, no secrets and no network. Links and buttons on the pages of `preview`
        lead nowhere. Run `preview` again after each change of a template or text: `preview` replaces the pages in the folder.
        Other files stay in the folder, such as the pages of a language that you removed.

        ## Reference
        """
}
