/// The texts of the pages in simplified Chinese: one `key = text` in each line.
let simplifiedChineseTexts = """
    # See en.txt for the rules of this file.

    direction = ltr
    language = 简体中文
    date = {year}年{month}月{day}日
    months = 1 2 3 4 5 6 7 8 9 10 11 12

    # The home page

    home = 首页
    welcomeTitle = 登录 {site}
    welcomeLead = 您将前往 {provider} 登录，本站不会获知您的密码。
    signIn = 使用 {provider} 登录
    choiceLead = 请选择登录方式。本站不会获知您的密码。
    choiceLast = 您上次使用此方式登录。
    choiceForm = 您的表单已保留。请在十分钟内登录，本站随后会提交表单。
    signedInTitle = 您已登录
    continueToSite = 进入 {site}
    signOut = 退出登录
    signOutEverywhere = 在所有浏览器中退出登录
    signedIn.sessions = 您已在 {count} 个浏览器中登录。
    showProfileLink = 查看我的个人主页链接
    openProfile = 打开我的 {provider} 个人主页
    showDetails = 查看我的 {provider} 个人资料

    # The profile page

    profileTitle = 您的 {provider} 个人资料
    profileLink = 个人主页链接
    copyLink = 复制链接
    linkCopied = 已复制
    noLinkTitle = 没有个人主页链接
    noLinkSent = {provider} 没有提供您的个人主页链接。如需自行复制，请在 {provider} 打开您的个人主页，然后从地址栏复制链接。
    locale = 语言
    profileLocale = {provider} 上的语言

    received.now = 刚刚从 {provider} 获取。
    received.minutes = {count} 分钟前从 {provider} 获取。
    received.hours = {count} 小时前从 {provider} 获取。
    received.days = {count} 天前从 {provider} 获取。

    # The page after signing out

    signedOutTitle = 您已退出 {site}
    signedOutEverywhere = 您已在所有浏览器中退出登录
    signedOutAdvice = 您在 {provider} 可能仍处于登录状态。如果要使用其他账号，或者其他人也会使用此浏览器，请同时退出 {provider}。
    signedOutReturn = 重新登录后将进入此页面：
    signOutAtProvider = 退出 {provider}
    signInAgain = 重新登录

    # The pages that delete what is stored about a member

    forget = 删除我的数据
    forgetTitle = 要删除您的数据吗？
    forgetLead = 您将在所有浏览器中退出登录，本站登录服务保存的姓名、电子邮箱、个人资料和 {provider} 令牌都会被删除。
    forgetTokens = 您的个人令牌也会被删除。
    forgetFinal = 此操作无法撤销。
    forgetRest = 日志和备份会保留一段时间，其中可能仍有您的 {provider} 标识符和 IP 地址。本站的其他部分可能还保存了您的其他信息。在您到 {provider} 移除本站之前，本站仍会显示在已授权服务列表中。
    forgetMore = 其他地方仍会保留的数据
    forgetCancel = 保留我的数据
    forgottenTitle = 您的数据已删除
    deleted.sessions = 您已在 {count} 个浏览器中退出登录，您的姓名、电子邮箱、个人资料和 {provider} 令牌均已删除。
    forgottenTokens = 您的个人令牌也已删除。

    # Personal tokens for scripts

    tokens = 个人令牌
    tokensLead = 脚本可以使用个人令牌，以您的身份访问本站的指定路径。任何持有该令牌的人，都能在这些路径下进行与您相同的操作。
    tokensNone = 您没有个人令牌。
    tokenMade = 您的新令牌
    tokenMadeLead = 请立即复制。令牌不会再次显示。
    copyToken = 复制令牌
    tokenName = 名称
    tokenLocations = 路径
    tokenLocationsHint = 用空格分隔多个路径，例如 /reports/ /files/。只填 / 表示您能打开的所有页面。
    tokenDays = 有效天数
    tokenCreated = 创建日期
    tokenEnds = 到期日
    tokenUsed = 上次使用
    tokenUnused = 尚未使用
    tokenRevoke = 撤销
    tokenRevokeSure = 使用此令牌的脚本会立即失效。
    tokenNew = 新令牌
    tokenMake = 创建令牌
    tokenRecent = 您上次登录已超过一小时。要创建令牌，请先重新登录。
    tokenNameWrong = 未创建令牌：请填写名称，最多 100 个字符。
    tokenLocationsWrong = 未创建令牌：请填写 1 至 20 个路径，用空格分隔。
    tokenPathWrong = 未创建令牌：“{path}”不是有效的路径。路径以 / 开头，最多 200 个字符，只能包含英文字母、数字、- . _ ~ 和不连续的斜杠，不能包含 /./ 或 /../。
    tokenDaysWrong = 未创建令牌：请填写 1 到 {count} 之间的天数。
    tokenFormOld = 此页面打开的时间过长，未创建令牌。请重新提交表单。
    tokensFull = 您的令牌过多，未能创建。请撤销不需要的令牌。
    tokenStoreFull = 本站可保存的令牌数量已达上限，未能创建。请联系网站管理员。

    # The page that sends a form which was kept during the sign-in

    resumeTitle = 您的表单可以提交了
    resumeLead = 您已登录。本站保留了您的表单，只会提交一次。
    resumeTarget = 提交到
    resumeSend = 提交表单
    resumeDiscard = 放弃表单
    resumeDiscardSure = 本站会删除您的表单，不会提交。

    # Pages about problems

    tryAgain = 重试
    signInNewTab = 在新标签页中登录
    useAnotherAccount = 使用其他账号
    account = 账号
    contact = 申请访问权限请联系：
    requestID = 请求编号

    wait.seconds = 请在约 {count} 秒后重试。
    wait.minutes = 请在约 {count} 分钟后重试。
    wait.hours = 请在约 {count} 小时后重试。
    wait.days = 请在约 {count} 天后重试。

    not_found.title = 找不到页面
    not_found.happened = 此网址没有对应的页面。
    not_found.next = 请检查网址是否有误，或从首页开始。

    method_not_allowed.title = 此处不支持该操作
    method_not_allowed.happened = 此网址不接受浏览器所用的请求方式。

    bad_request.title = 无法读取请求
    bad_request.happened = 本站无法理解浏览器发送的内容。

    too_large.title = 数据过大
    too_large.happened = 浏览器发送的数据超出了此页面的上限，可能是 Cookie 过多。
    too_large.next = 如果问题再次出现，请清除本站的 Cookie。

    address_too_long.title = 网址过长
    address_too_long.happened = 登录后才能查看此页面，而此网址太长，登录后本站无法将您带回这里。
    address_too_long.next = 请先登录。登录后会进入首页，届时可以再次打开此网址。

    sign_in_needed.title = 请先登录
    sign_in_needed.happened = 登录后才能查看此页面。如果您登录过，则登录已过期。

    account_not_allowed.title = 此账号没有访问权限
    account_not_allowed.happened = 您已使用 {provider} 登录，但此账号无权查看此页面。
    account_not_allowed.next = 使用其他账号时，本站会先退出您当前的登录。如需在 {provider} 更换账号，可能还要退出 {provider}。

    email_not_verified.title = 您的电子邮箱尚未验证
    email_not_verified.happened = 此页面仅供已在 {provider} 验证电子邮箱的用户查看。您的邮箱尚未在那里验证。
    email_not_verified.next = 请先在 {provider} 验证您的电子邮箱，然后重新登录。

    email_missing.title = {provider} 没有提供电子邮箱
    email_missing.happened = 此页面仅供已在 {provider} 验证电子邮箱的用户查看。{provider} 没有提供您账号的电子邮箱。
    email_missing.next = 请先在 {provider} 为您的账号添加并验证电子邮箱，然后重新登录。

    forbidden.title = 此页面未开放
    forbidden.happened = 本站不向任何账号显示此页面。
    forbidden.next = 如果您需要此页面，请联系网站管理员，并提供请求编号。

    session_cookie_lost.title = 浏览器没有保持您的登录状态
    session_cookie_lost.happened = 您已登录三次，但浏览器没有记住您的登录。
    session_cookie_lost.next = 请在单独的标签页中用以 https 开头的网址打开本站，允许本站使用 Cookie，停用会删除 Cookie 的扩展程序，并检查系统时间是否正确，然后重试。

    session_unknown.title = 本站无法识别您的登录
    session_unknown.happened = 您已登录三次。浏览器记住了您的登录，但本站无法识别。
    session_unknown.next = 请清除本站的 Cookie 后重试。如果问题再次出现，请联系网站管理员，并提供请求编号。

    session_too_old.title = 本站各服务器的时钟不一致
    session_too_old.happened = 您已登录三次，但对于此页面，您的登录时间仍被视为过久。本站有一台服务器的时钟不准。
    session_too_old.next = 请联系网站管理员，并提供请求编号。

    sign_in_cancelled.title = 登录已取消
    sign_in_cancelled.happened = 您没有在 {provider} 完成登录。{provider} 没有向本站提供任何信息。

    scope_refused.title = {provider} 拒绝了请求
    scope_refused.happened = 本站申请的权限超出了 {provider} 的许可范围。这不是您的问题。
    scope_refused.next = 请联系网站管理员，并提供请求编号。

    state_missing.title = 无法完成登录
    state_missing.happened = 此浏览器没有开始此次登录的记录。可能是 Cookie 被阻止、此页面被重新加载，或者您是在其他浏览器、其他应用或本站的其他网址开始登录的。
    state_missing.next = 请在此浏览器中通过 {address} 重试。如果再次看到此页面，请允许本站使用 Cookie。

    unencrypted_cookie_lost.title = 浏览器没有记住此次登录
    unencrypted_cookie_lost.happened = 本站网址以 http:// 开头。Safari 等 WebKit 浏览器不会为这类网址保存安全 Cookie，在本机上也是如此。
    unencrypted_cookie_lost.next = 如果您重新加载了此页面，或是在其他浏览器中开始登录的，请重试。否则，请改用 Chrome 或 Firefox，或通过以 https:// 开头的网址打开本站。如果您已在使用这些浏览器，请允许本站使用 Cookie。

    state_expired.title = 登录超时
    state_expired.happened = 为了您的安全，登录须在十分钟内完成。

    state_used.title = 此登录请求已被使用
    state_used.happened = 每次登录只能使用一次。后退、刷新或双击都可能造成重复。
    state_used.next = 您可能已经登录，请查看首页，或重新登录。

    callback_malformed.title = 网址无效
    callback_malformed.happened = 从 {provider} 返回本站的网址不完整或不正确。

    provider_refused_us.title = {provider} 无法识别本站
    provider_refused_us.happened = {provider} 拒绝了本站自身的凭据。您的账号没有问题。
    provider_refused_us.next = 请联系网站管理员，并提供请求编号。

    clock_wrong.title = 本站的时钟不准
    clock_wrong.happened = {provider} 确认您登录的时间晚于本站时钟的当前时间，因此本站无法接受。
    clock_wrong.next = 请联系网站管理员，并提供请求编号。

    code_refused.title = {provider} 未确认您的登录
    code_refused.happened = {provider} 拒绝了此次登录的一次性代码，代码可能已过期。
    code_refused.next = 请重试以获取新的代码。

    provider_unavailable.title = 无法连接 {provider}
    provider_unavailable.happened = 本站没有从 {provider} 得到有效的响应。

    provider_timed_out.title = {provider} 响应超时
    provider_timed_out.happened = {provider} 没有及时响应本站。

    provider_busy.title = 当前登录人数过多
    provider_busy.happened = 本站正在等待 {provider} 响应大量请求。

    too_many_requests.title = 来自您所在网络的请求过多
    too_many_requests.happened = 您所在的网络目前有很多人在本站登录，已达到单个网络的上限。您不会丢失任何内容。

    provider_throttled.title = 对 {provider} 的请求过多
    provider_throttled.happened = {provider} 目前不再接受本站的请求。

    identity_rejected.title = 无法核实您的身份
    identity_rejected.happened = {provider} 发来的身份信息没有通过本站的检查。您尚未登录。
    identity_rejected.next = 请重试。如果问题再次出现，请联系网站管理员，并提供请求编号。

    profile_unavailable.title = 暂时无法获取您的个人资料
    profile_unavailable.happened = {provider} 没有发来您的个人资料。您仍处于登录状态。

    profile_denied.title = {provider} 未提供您的个人资料
    profile_denied.happened = {provider} 不允许本站读取个人资料。您仍处于登录状态。
    profile_denied.next = 请联系网站管理员，并提供请求编号。

    profile_gone.title = {provider} 已关闭此服务
    profile_gone.happened = {provider} 不再以这种方式提供个人资料，重试不会有帮助。您仍处于登录状态。
    profile_gone.next = 请联系网站管理员，并提供请求编号。

    version_retired.title = {provider} 的这项服务已更新
    version_retired.happened = 本站使用的服务版本已被 {provider} 停用。您仍处于登录状态。
    version_retired.next = 请联系网站管理员，并提供请求编号。

    access_pending.title = {provider} 还需要一点时间
    access_pending.happened = 您已同意登录，但 {provider} 在十秒后仍未识别它刚刚签发的授权。
    access_pending.next = 请等待十秒后重试。您无需再次登录 {provider}。

    access_ended.title = 请重新登录
    access_ended.happened = 您在 {provider} 对本站的授权已过期或被撤销。

    store_unavailable.title = 登录功能暂时不可用
    store_unavailable.happened = 本站目前无法确认登录状态。这不是您的问题。

    cross_site.title = 您尚未退出登录
    cross_site.happened = 退出登录的请求来自其他网站，本站已忽略该请求。

    deletion_refused.title = 未删除任何数据
    deletion_refused.happened = 删除数据的请求来自其他网站，本站已忽略该请求。
    deletion_refused.next = 如需删除数据，请使用下一页上的按钮。

    account_changed.title = 未更改任何内容
    account_changed.happened = 打开上一页面后，此浏览器已使用其他账号登录，因此本站已忽略该表单。
    account_changed.next = 首页会显示当前登录的账号。请从首页重新操作。

    change_needs_sign_in.title = 未更改或删除任何内容
    change_needs_sign_in.happened = 您尚未在此浏览器中登录，因此本站已忽略该表单。如果您登录过，则该登录已结束。
    change_needs_sign_in.next = 请先登录，然后重新操作。

    deletion_unfinished.title = 未能全部删除
    deletion_unfinished.happened = 本站无法读取或更改保存的全部数据，您的部分数据可能仍然存在。
    deletion_unfinished.next = 请在一分钟后重试。如果问题再次出现，请联系网站管理员并提供请求编号。

    form_not_kept.title = 您的表单没有提交
    form_not_kept.happened = 您尚未登录，本站无法在您登录期间保留表单。
    form_not_kept.next = 请保留此标签页，在新标签页中登录。然后重新加载此页面，并确认浏览器重新提交表单。

    too_many_forms.title = 来自您所在网络的表单过多
    too_many_forms.happened = 您尚未登录，而本站已为您所在的网络保留了过多表单。您的表单没有提交。
    too_many_forms.next = 请保留此标签页，在新标签页中登录。然后重新加载此页面，并确认浏览器重新提交表单。

    form_gone.title = 本站已不再保留您的表单
    form_gone.happened = 本站只保留表单十分钟，且仅限同一浏览器使用。表单没有提交。
    form_gone.next = 请重新填写并提交表单。在浏览器中后退也许能找回您填写的内容。

    sign_out_unfinished.title = 您仅在此浏览器中退出了登录
    sign_out_unfinished.happened = 此浏览器已删除您的登录状态，但本站未能结束该登录。
    sign_out_unfinished.next = 任何从此浏览器复制了您的登录信息的人，在其过期前仍可使用它。如有担心，请联系网站管理员。

    sessions_remain.title = 您仍处于登录状态
    sessions_remain.happened = 本站未能在所有浏览器中为您退出登录。
    sessions_remain.next = 请在一分钟后重试。如果问题再次出现，请联系网站管理员并提供请求编号。

    form_damaged.title = 无法打开您的表单
    form_damaged.happened = 本站在您登录期间保留的表单已损坏。表单没有提交。
    form_damaged.next = 请重新填写并提交表单。在浏览器中后退也许能找回您填写的内容。

    form_sent.title = 您的表单已经提交过
    form_sent.happened = 每份表单只提交一次。后退、刷新或双击都可能造成重复请求。本站没有再次提交表单。
    form_sent.next = 请确认网站是否已收到表单。

    form_refused.title = 表单未被接受
    form_refused.happened = 提交表单的请求并非来自本站自己的页面。表单没有提交。
    form_refused.next = 请在本站重新打开表单，并从那里提交。

    form_unsent.title = 本站仍保留着您的表单
    form_unsent.happened = 您已登录，但本站无法连接到表单的目标页面。表单没有提交。
    form_unsent.next = 本站只保留表单十分钟。

    form_unanswered.title = 您的表单可能已经提交
    form_unanswered.happened = 本站已提交您的表单，但无法读取响应。
    form_unanswered.next = 再次提交之前，请先确认网站是否已收到表单。

    form_timed_out.title = 您的表单尚未得到响应
    form_timed_out.happened = 本站已提交您的表单，但响应超时。
    form_timed_out.next = 再次提交之前，请先确认网站是否已收到表单。

    internal_error.title = 出现问题
    internal_error.happened = 这是本站的故障，与您的操作无关。
    internal_error.next = 请稍后重试。如果问题再次出现，请联系网站管理员，并提供请求编号。
    """
