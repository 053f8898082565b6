/// The texts of the pages in Japanese: one `key = text` in each line.
let japaneseTexts = """
    # See en.txt for the rules of this file.

    direction = ltr
    language = 日本語
    date = {year}年{month}月{day}日
    months = 1 2 3 4 5 6 7 8 9 10 11 12

    # The home page

    home = ホーム
    welcomeTitle = {site} にサインイン
    welcomeLead = {provider} でサインインします。パスワードがこのサイトに伝わることはありません。
    signIn = {provider} でサインイン
    choiceLead = サインインに使うサービスを選んでください。パスワードがこのサイトに伝わることはありません。
    choiceLast = 前回はここでサインインしました。
    choiceForm = フォームの内容は保存されています。10 分以内にサインインすると送信されます。
    signedInTitle = サインインしています
    continueToSite = {site} に進む
    signOut = サインアウト
    signOutEverywhere = すべてのブラウザーからサインアウト
    signedIn.sessions = {count} 個のブラウザーでサインインしています。
    showProfileLink = プロフィールのリンクを見る
    openProfile = {provider} のプロフィールを開く
    showDetails = {provider} の登録情報を見る

    # The profile page

    profileTitle = {provider} のプロフィール
    profileLink = プロフィールのリンク
    copyLink = リンクをコピー
    linkCopied = コピーしました
    noLinkTitle = プロフィールのリンクがありません
    noLinkSent = {provider} からプロフィールのリンクが届きませんでした。ご自身でコピーするには、{provider} でプロフィールを開き、アドレスバーからリンクをコピーしてください。
    locale = 言語
    profileLocale = {provider} の言語設定

    received.now = たった今 {provider} から取得しました。
    received.minutes = {count} 分前に {provider} から取得しました。
    received.hours = {count} 時間前に {provider} から取得しました。
    received.days = {count} 日前に {provider} から取得しました。

    # The page after signing out

    signedOutTitle = {site} からサインアウトしました
    signedOutEverywhere = すべてのブラウザーでサインアウトしました
    signedOutAdvice = {provider} にはまだサインインしている可能性があります。別のアカウントを使う場合や、ほかの人もこのブラウザーを使う場合は、{provider} からもサインアウトしてください。
    signedOutReturn = もう一度サインインすると、次のページに進みます：
    signOutAtProvider = {provider} からサインアウト
    signInAgain = もう一度サインイン

    # The pages that delete what is stored about a member

    forget = 自分のデータを削除
    forgetTitle = データを削除しますか？
    forgetLead = すべてのブラウザーからサインアウトし、このサイトのサインイン機能が保存している名前、メールアドレス、プロフィール、{provider} のトークンを削除します。
    forgetTokens = 個人用トークンも削除します。
    forgetFinal = この操作は取り消せません。
    forgetRest = ログとバックアップはしばらく保存され、{provider} の識別子や IP アドレスが残っている場合があります。このサイトのほかの部分に、別の情報が保存されている場合もあります。{provider} では、ご自身で削除するまで、このサイトが許可済みのサービスとして表示されます。
    forgetMore = ほかに残るデータ
    forgetCancel = データを残す
    forgottenTitle = データを削除しました
    deleted.sessions = {count} 個のブラウザーからサインアウトし、名前、メールアドレス、プロフィール、{provider} のトークンを削除しました。
    forgottenTokens = 個人用トークンも削除しました。

    # Personal tokens for scripts

    tokens = 個人用トークン
    tokensLead = 個人用トークンを使うと、スクリプトがあなたとして、このサイトの指定したパスにアクセスできます。トークンを持つ人は、そのパスであなたと同じことができます。
    tokensNone = 個人用トークンはありません。
    tokenMade = 作成したトークン
    tokenMadeLead = 今すぐコピーしてください。再び表示されることはありません。
    copyToken = トークンをコピー
    tokenName = 名前
    tokenLocations = パス
    tokenLocationsHint = パスはスペースで区切ります（例: /reports/ /files/）。/ だけを入力すると、あなたが開けるすべてのページが対象になります。
    tokenDays = 有効日数
    tokenCreated = 作成日
    tokenEnds = 有効期限
    tokenUsed = 最終使用日
    tokenUnused = 未使用
    tokenRevoke = 取り消す
    tokenRevokeSure = このトークンを使うスクリプトは、すぐに動作しなくなります。
    tokenNew = 新しいトークン
    tokenMake = トークンを作成
    tokenRecent = トークンを作成するには、もう一度サインインしてください。サインインから 1 時間以上たっています。
    tokenNameWrong = トークンは作成されませんでした。100 文字以内の名前を入力してください。
    tokenLocationsWrong = トークンは作成されませんでした。1～20 個のパスを、スペースで区切って入力してください。
    tokenPathWrong = 「{path}」はパスとして使えないため、トークンは作成されませんでした。パスは / で始まる 200 文字以内で、半角英数字、- . _ ~ と連続しないスラッシュだけを使えます。/./ と /../ は使えません。
    tokenDaysWrong = トークンは作成されませんでした。日数は 1～{count} の数字で入力してください。
    tokenFormOld = このページを長く開いていたため、トークンは作成されませんでした。フォームをもう一度送信してください。
    tokensFull = トークンの数が上限に達しているため、作成されませんでした。不要なトークンを取り消してください。
    tokenStoreFull = このサイトに保存できるトークンの数が上限に達しているため、作成されませんでした。サイトの管理者にお問い合わせください。

    # The page that sends a form which was kept during the sign-in

    resumeTitle = フォームを送信できます
    resumeLead = サインインしました。保存しておいたフォームを一度だけ送信します。
    resumeTarget = 送信先
    resumeSend = フォームを送信
    resumeDiscard = フォームを破棄
    resumeDiscardSure = フォームを送信せずに削除します。

    # Pages about problems

    tryAgain = もう一度試す
    signInNewTab = 新しいタブでサインイン
    useAnotherAccount = 別のアカウントを使う
    account = アカウント
    contact = アクセスを希望する場合の連絡先：
    requestID = リクエスト番号

    wait.seconds = 約 {count} 秒後にもう一度お試しください。
    wait.minutes = 約 {count} 分後にもう一度お試しください。
    wait.hours = 約 {count} 時間後にもう一度お試しください。
    wait.days = 約 {count} 日後にもう一度お試しください。

    not_found.title = ページが見つかりません
    not_found.happened = この URL にページはありません。
    not_found.next = URL を確認するか、ホームからやり直してください。

    method_not_allowed.title = この操作はできません
    method_not_allowed.happened = この URL では受け付けていない種類のリクエストがブラウザーから送られました。

    bad_request.title = リクエストを読み取れません
    bad_request.happened = ブラウザーから送られた内容を、このサイトは理解できませんでした。

    too_large.title = データが多すぎます
    too_large.happened = このページで受け付けられる量を超えるデータがブラウザーから送られました。Cookie が多すぎる可能性があります。
    too_large.next = 繰り返し発生する場合は、このサイトの Cookie を削除してください。

    address_too_long.title = URL が長すぎます
    address_too_long.happened = このページを見るにはサインインが必要ですが、URL が長すぎるため、サインイン後にこのページへ戻ることができません。
    address_too_long.next = 先にサインインしてください。ホームが表示されたら、もう一度 URL を開いてください。

    sign_in_needed.title = サインインしてください
    sign_in_needed.happened = このページを見るにはサインインが必要です。以前サインインした場合は、有効期限が切れています。

    account_not_allowed.title = このアカウントにはアクセス権がありません
    account_not_allowed.happened = {provider} でサインインしましたが、このアカウントではこのページを表示できません。
    account_not_allowed.next = 別のアカウントを使う場合は、最初にこのサイトから自動的にサインアウトします。{provider} でアカウントを切り替えるには、{provider} からもサインアウトが必要な場合があります。

    email_not_verified.title = メールアドレスが確認されていません
    email_not_verified.happened = このページを表示できるのは、{provider} でメールアドレスが確認済みの方だけです。あなたのメールアドレスはまだ確認されていません。
    email_not_verified.next = {provider} でメールアドレスを確認してください。その後、もう一度サインインしてください。

    email_missing.title = {provider} からメールアドレスが送られてきませんでした
    email_missing.happened = このページを表示できるのは、{provider} でメールアドレスが確認済みの方だけです。{provider} から、あなたのアカウントのメールアドレスが送られてきませんでした。
    email_missing.next = {provider} のアカウントにメールアドレスを追加し、確認を済ませてください。その後、もう一度サインインしてください。

    forbidden.title = このページは公開されていません
    forbidden.happened = このページは、どのアカウントにも表示されません。
    forbidden.next = このページが必要な場合は、リクエスト番号を添えてサイトの管理者にご連絡ください。

    session_cookie_lost.title = このブラウザーではサインインの状態を維持できません
    session_cookie_lost.happened = 3 回サインインしましたが、ブラウザーに記憶されていません。
    session_cookie_lost.next = このサイトを新しいタブで、https で始まる URL から開いてください。このサイトの Cookie を許可し、Cookie を削除する拡張機能を無効にし、端末の時計が正しいことを確認してから、もう一度お試しください。

    session_unknown.title = サインインを確認できません
    session_unknown.happened = 3 回サインインしました。ブラウザーには記憶されていますが、このサイトでは確認できません。
    session_unknown.next = このサイトの Cookie を削除して、もう一度お試しください。繰り返し発生する場合は、リクエスト番号を添えてサイトの管理者にご連絡ください。

    session_too_old.title = このサイトの時計が一致していません
    session_too_old.happened = 3 回サインインしましたが、このページではサインインが古すぎると判断されます。サイトの時計のいずれかが正しくありません。
    session_too_old.next = リクエスト番号を添えてサイトの管理者にご連絡ください。

    sign_in_cancelled.title = サインインがキャンセルされました
    sign_in_cancelled.happened = {provider} でのサインインが完了しませんでした。{provider} からこのサイトに提供された情報はありません。

    scope_refused.title = {provider} がリクエストを拒否しました
    scope_refused.happened = このサイトは、{provider} が許可していない権限を求めました。あなたの操作に問題はありません。
    scope_refused.next = リクエスト番号を添えてサイトの管理者にご連絡ください。

    state_missing.title = サインインを完了できませんでした
    state_missing.happened = このブラウザーには、サインインを始めた記録がありません。Cookie がブロックされているか、このページが再読み込みされたか、別のブラウザーやアプリ、またはこのサイトの別の URL で操作を始めた可能性があります。
    state_missing.next = このブラウザーで {address} からもう一度お試しください。またこのページが表示される場合は、このサイトの Cookie を許可してください。

    unencrypted_cookie_lost.title = ブラウザーにサインインが記憶されませんでした
    unencrypted_cookie_lost.happened = このサイトの URL は http:// で始まります。Safari などの WebKit ブラウザーは、このコンピューター上であっても、そのような URL ではセキュアな Cookie を保存しません。
    unencrypted_cookie_lost.next = このページを再読み込みした場合や、別のブラウザーで操作を始めた場合は、もう一度お試しください。それ以外の場合は、Chrome か Firefox を使うか、https:// で始まる URL でこのサイトを開いてください。すでにこれらのブラウザーを使っている場合は、このサイトの Cookie を許可してください。

    state_expired.title = 時間切れです
    state_expired.happened = 安全のため、サインインは 10 分以内に完了する必要があります。

    state_used.title = このサインインは使用済みです
    state_used.happened = 同じサインインは一度しか使えません。戻るボタン、再読み込み、ダブルクリックで繰り返されることがあります。
    state_used.next = すでにサインインしている可能性があります。ホームを確認するか、もう一度サインインしてください。

    callback_malformed.title = URL が無効です
    callback_malformed.happened = {provider} からこのサイトに戻るための URL が不完全か、正しくありません。

    provider_refused_us.title = {provider} がこのサイトを認識できません
    provider_refused_us.happened = {provider} がこのサイトの認証情報を拒否しました。あなたのアカウントに問題はありません。
    provider_refused_us.next = リクエスト番号を添えてサイトの管理者にご連絡ください。

    clock_wrong.title = このサイトの時計が正しくありません
    clock_wrong.happened = {provider} がサインインを確認した時刻が、このサイトの時計より先になっています。そのため、このサイトではサインインを受け付けられません。
    clock_wrong.next = リクエスト番号を添えてサイトの管理者にご連絡ください。

    code_refused.title = {provider} がサインインを確認できませんでした
    code_refused.happened = このサインインのワンタイムコードを {provider} が拒否しました。有効期限が切れた可能性があります。
    code_refused.next = もう一度試すと、新しいコードが発行されます。

    provider_unavailable.title = {provider} に接続できません
    provider_unavailable.happened = {provider} から有効な応答がありませんでした。

    provider_timed_out.title = {provider} の応答に時間がかかりすぎました
    provider_timed_out.happened = {provider} からの応答が時間内にありませんでした。

    provider_busy.title = サインインが混み合っています
    provider_busy.happened = このサイトは {provider} からの多数の応答を待っています。

    too_many_requests.title = お使いのネットワークからのリクエストが多すぎます
    too_many_requests.happened = 現在、お使いのネットワークから多くの人がこのサイトにサインインしており、ネットワークごとの上限に達しました。操作の内容は失われていません。

    provider_throttled.title = {provider} へのリクエストが多すぎます
    provider_throttled.happened = {provider} は現在、このサイトからのリクエストを受け付けていません。

    identity_rejected.title = 本人確認ができませんでした
    identity_rejected.happened = {provider} から届いたあなたの情報が、このサイトの確認を通りませんでした。サインインは完了していません。
    identity_rejected.next = もう一度お試しください。繰り返し発生する場合は、リクエスト番号を添えてサイトの管理者にご連絡ください。

    profile_unavailable.title = 現在、プロフィールを表示できません
    profile_unavailable.happened = {provider} からプロフィールが届きませんでした。引き続きサインインしています。

    profile_denied.title = {provider} がプロフィールを提供していません
    profile_denied.happened = {provider} は、このサイトがプロフィールを読み取ることを許可していません。引き続きサインインしています。
    profile_denied.next = リクエスト番号を添えてサイトの管理者にご連絡ください。

    profile_gone.title = {provider} はこのサービスを終了しました
    profile_gone.happened = {provider} はこの方法でのプロフィールの提供を終了したため、もう一度試しても表示できません。引き続きサインインしています。
    profile_gone.next = リクエスト番号を添えてサイトの管理者にご連絡ください。

    version_retired.title = {provider} のサービスが変更されました
    version_retired.happened = このサイトは、{provider} が提供を終了したバージョンのサービスを使っています。引き続きサインインしています。
    version_retired.next = リクエスト番号を添えてサイトの管理者にご連絡ください。

    access_pending.title = {provider} の処理に時間がかかっています
    access_pending.happened = サインインは許可されましたが、{provider} は自ら発行したばかりの許可を 10 秒以内に認識できませんでした。
    access_pending.next = 10 秒ほど待ってから、もう一度お試しください。{provider} で再度サインインする必要はありません。

    access_ended.title = もう一度サインインしてください
    access_ended.happened = {provider} でこのサイトに与えた許可が、期限切れになったか取り消されました。

    store_unavailable.title = 一時的にサインインを利用できません
    store_unavailable.happened = このサイトは現在、サインインの状態を確認できません。あなたの操作に問題はありません。

    cross_site.title = サインアウトされませんでした
    cross_site.happened = サインアウトのリクエストが別のサイトから送られたため、このサイトでは処理しませんでした。

    deletion_refused.title = 何も削除されませんでした
    deletion_refused.happened = データ削除のリクエストが別のサイトから送られたため、このサイトでは処理しませんでした。
    deletion_refused.next = データを削除するには、次のページのボタンを使ってください。

    account_changed.title = 何も変更されませんでした
    account_changed.happened = 前のページを開いた後、このブラウザーで別のアカウントにサインインしたため、このサイトではフォームを処理しませんでした。
    account_changed.next = どのアカウントでサインインしているかをホームで確認し、もう一度操作してください。

    change_needs_sign_in.title = 何も変更も削除もされませんでした
    change_needs_sign_in.happened = このブラウザーではサインインしていないため、このサイトではフォームを処理しませんでした。以前サインインした場合は、そのサインインは終了しています。
    change_needs_sign_in.next = 先にサインインしてから、もう一度操作してください。

    deletion_unfinished.title = すべてを削除できませんでした
    deletion_unfinished.happened = このサイトでは、保存しているデータの一部を読み取りまたは変更できませんでした。データの一部がまだ残っている可能性があります。
    deletion_unfinished.next = 1 分ほどたってからもう一度お試しください。同じことが続く場合は、リクエスト番号を添えてサイトの管理者にご連絡ください。

    form_not_kept.title = フォームは送信されませんでした
    form_not_kept.happened = サインインしていないため、フォームを送信できませんでした。サインインの間、フォームを保存しておくこともできませんでした。
    form_not_kept.next = このタブを開いたまま、新しいタブでサインインしてください。その後、このページを再読み込みし、フォームの再送信を承認してください。

    too_many_forms.title = お使いのネットワークからのフォームが多すぎます
    too_many_forms.happened = サインインしていないため、フォームを送信できませんでした。お使いのネットワークからのフォームの保存数も上限に達しています。
    too_many_forms.next = このタブを開いたまま、新しいタブでサインインしてください。その後、このページを再読み込みし、フォームの再送信を承認してください。

    form_gone.title = フォームは保存されていません
    form_gone.happened = フォームが保存されるのは 10 分間で、同じブラウザーでのみ使えます。フォームは送信されませんでした。
    form_gone.next = フォームにもう一度入力して送信してください。ブラウザーで前のページに戻ると、入力した内容が残っていることがあります。

    sign_out_unfinished.title = このブラウザーでのみサインアウトしました
    sign_out_unfinished.happened = このブラウザーからサインインの記録は削除されましたが、サイト側で終了できませんでした。
    sign_out_unfinished.next = このブラウザーのサインインの情報をコピーした人は、有効期限が切れるまでそれを使えます。ご心配な場合は、サイトの管理者にご連絡ください。

    sessions_remain.title = まだサインインしています
    sessions_remain.happened = このサイトでは、すべてのブラウザーからサインアウトすることができませんでした。
    sessions_remain.next = 1 分ほどたってからもう一度お試しください。同じことが続く場合は、リクエスト番号を添えてサイトの管理者にご連絡ください。

    form_damaged.title = フォームを開けません
    form_damaged.happened = サインインの間に保存したフォームが壊れています。フォームは送信されませんでした。
    form_damaged.next = フォームにもう一度入力して送信してください。ブラウザーで前のページに戻ると、入力した内容が残っていることがあります。

    form_sent.title = フォームは送信済みです
    form_sent.happened = フォームは一度だけ送信されます。戻るボタン、再読み込み、ダブルクリックでリクエストが繰り返されることがあります。フォームは再送信されていません。
    form_sent.next = サイトに届いているか確認してください。

    form_refused.title = フォームを受け付けられません
    form_refused.happened = フォームを送信するリクエストが、このサイトのページから送られたものではありません。フォームは送信されませんでした。
    form_refused.next = このサイトでフォームをもう一度開き、そこから送信してください。

    form_unsent.title = フォームは保存されています
    form_unsent.happened = サインインしていますが、フォームの送信先のページに接続できませんでした。フォームは送信されませんでした。
    form_unsent.next = フォームが保存されるのは 10 分間だけです。

    form_unanswered.title = フォームは送信された可能性があります
    form_unanswered.happened = フォームを送信しましたが、応答を読み取れませんでした。
    form_unanswered.next = もう一度送信する前に、サイトに届いているか確認してください。

    form_timed_out.title = フォームへの応答がまだありません
    form_timed_out.happened = フォームを送信しましたが、応答に時間がかかりすぎました。
    form_timed_out.next = もう一度送信する前に、サイトに届いているか確認してください。

    internal_error.title = 問題が発生しました
    internal_error.happened = このサイトの不具合です。あなたの操作に問題はありません。
    internal_error.next = しばらくしてから、もう一度お試しください。繰り返し発生する場合は、リクエスト番号を添えてサイトの管理者にご連絡ください。
    """
