extension Template {
    /// The visitor can select the link, or copy it with a button if scripts are allowed.
    static let profileText = """
        {{<layout}}
        {{$title}}{{text.profileTitle}} · {{site.name}}{{/title}}
        {{$main}}
        <h1>{{text.profileTitle}}</h1>
        {{> member}}
        {{#profileLink}}
        <div class="copy">
        <p class="quiet" id="link-label">{{text.profileLink}}</p>
        <p class="own"><code id="link" dir="ltr" aria-labelledby="link-label">{{profileLink}}</code></p>
        <button id="copy" type="button" data-done="{{text.linkCopied}}" hidden="">{{text.copyLink}}</button>
        <span id="copied" class="quiet" role="status"></span>
        </div>
        <p class="actions"><a class="control primary" href="{{profileLink}}">{{text.openProfile}}</a></p>
        {{/profileLink}}
        {{#linkMissing}}
        <section class="note" aria-labelledby="no-link">
        <h2 id="no-link">{{text.noLinkTitle}}</h2>
        <p>{{text.noLinkSent}}</p>
        </section>
        {{/linkMissing}}
        {{#locale}}
        <dl>
        <dt>{{text.profileLocale}}</dt>
        <dd>{{locale}}</dd>
        </dl>
        {{/locale}}
        <p class="quiet">{{received}}</p>
        <p class="actions"><a class="control" href="{{paths.home}}">{{text.home}}</a></p>
        {{#profileLink}}
        <script>{{script}}</script>
        {{/profileLink}}
        {{/main}}
        {{/layout}}

        """
}
