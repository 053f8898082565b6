extension ProblemTexts {
    static let chinese = ProblemTexts(
        notFound: ProblemText(
            "找不到页面",
            "这个地址没有对应的页面。",
            next: "请检查地址是否有误，或从首页开始。"
        ),
        methodNotAllowed: ProblemText(
            "这里不支持此操作",
            "这个地址不接受浏览器刚才发送的请求方式。",
            next: "请从首页开始。"
        ),
        badRequest: ProblemText(
            "无法识别请求",
            "浏览器发送的内容本站无法理解。",
            next: "请从首页重新开始。"
        ),
        tooLarge: ProblemText(
            "请求内容过大",
            "浏览器发送的内容超出了本页的上限，可能是 Cookie 过多或过长。",
            next: "请回到首页。如果问题再次出现，请清除本站的 Cookie。"
        ),
        signInNeeded: ProblemText(
            "请先登录",
            "此页面仅供已登录的用户访问。您的会话可能已过期。",
            next: "请使用 {provider} 登录后继续。"
        ),
        accountNotAllowed: ProblemText(
            "此账号无权访问",
            "您已通过 {provider} 登录，但本站不允许该账号访问。",
            next: "如需使用其他账号，请先退出 {provider}，否则 {provider} 仍会选用同一账号。"
        ),
        forbidden: ProblemText(
            "此页面未开放",
            "无论使用哪个账号，本网站都不会显示此页面。",
            next: "如果您认为应该能看到它，请将下面的请求编号告诉网站管理员。"
        ),
        sessionCookieLost: ProblemText(
            "登录陷入循环",
            "您已登录三次，但浏览器始终没有发回名为“__Host-session”的 Cookie。",
            next: "请始终使用同一个以 https 开头的网址访问本网站，不要在其他网站的页面中打开；确认没有扩展程序、隐私设置或本网站的其他程序删除该 Cookie，并检查系统时间是否正确，然后重试。"
        ),
        sessionUnknown: ProblemText(
            "本网站没有记住您的登录",
            "您已登录三次。浏览器发回了名为“__Host-session”的 Cookie，但本网站不认识它。",
            next: "请删除本网站的 Cookie 后重试。如果仍然不行，请告诉网站管理员：可能有两台服务器没有共享会话，或有其他程序使用了同名的 Cookie。"
        ),
        signInCancelled: ProblemText(
            "登录已取消",
            "您没有在 {provider} 完成登录。本站没有获得您的任何信息。",
            next: "您可以随时重试。"
        ),
        scopeRefused: ProblemText(
            "{provider} 拒绝了请求",
            "本站向 {provider} 申请的权限超出了其应用的许可范围。这不是您的问题。",
            next: "只有网站管理员才能解决，请将下方的编号告知管理员。"
        ),
        stateMissing: ProblemText(
            "无法继续此次登录",
            "用来确认登录来自本浏览器的 Cookie 没有送回。可能是登录从其他浏览器或应用开始，或者 Cookie 被阻止。",
            next: "请允许本站使用 Cookie，然后在此浏览器中重试。"
        ),
        stateExpired: ProblemText(
            "登录超时",
            "为了您的安全，登录必须在几分钟内完成。",
            next: "请重试。"
        ),
        stateUsed: ProblemText(
            "此次登录已使用过",
            "每次登录只能使用一次。点击后退、刷新页面或重复点击都可能再次提交。",
            next: "您可能已经登录，请查看首页；如果没有，请重新登录。"
        ),
        callbackMalformed: ProblemText(
            "信息不完整",
            "从 {provider} 返回的地址不完整，可能在途中被截断或改动。",
            next: "请重试。"
        ),
        providerRefusedUs: ProblemText(
            "{provider} 无法识别本站",
            "{provider} 没有接受本站自身的凭据。您的账号没有问题。",
            next: "只有网站管理员才能解决，请将下方的编号告知管理员。"
        ),
        codeRefused: ProblemText(
            "{provider} 未确认登录",
            "{provider} 发给浏览器的一次性代码未被接受，可能已经过期。",
            next: "请重试，您会得到新的代码。"
        ),
        providerUnavailable: ProblemText(
            "无法连接 {provider}",
            "本站没有从 {provider} 得到有效的回应。",
            next: "请稍后重试。"
        ),
        providerTimedOut: ProblemText(
            "{provider} 响应超时",
            "{provider} 没有及时回应本站。",
            next: "请稍后重试。"
        ),
        providerBusy: ProblemText(
            "当前访问繁忙",
            "本站正在等待 {provider} 的大量回应，为免您久等，没有再发出新的请求。",
            next: "请稍后重试。"
        ),
        providerThrottled: ProblemText(
            "{provider} 限制了请求",
            "本站目前可向 {provider} 发出的请求次数已用完。",
            next: "请过一段时间再试。"
        ),
        identityRejected: ProblemText(
            "无法核实您的身份",
            "{provider} 发来的身份信息没有通过本站的检查。为安全起见，本次未登录任何账号。",
            next: "请重试。如果问题再次出现，请将下方的编号告知网站管理员。"
        ),
        profileUnavailable: ProblemText(
            "暂时无法获取您的个人资料",
            "{provider} 没有向本站提供您的个人资料。您仍处于登录状态。",
            next: "请稍后重试。"
        ),
        profileDenied: ProblemText(
            "{provider} 未提供个人资料",
            "本站在 {provider} 的应用无权读取个人资料。您仍处于登录状态。",
            next: "只有网站管理员才能解决，请将下方的编号告知管理员。"
        ),
        profileGone: ProblemText(
            "{provider} 已关闭此服务",
            "{provider} 第一版个人资料接口已不复存在，重试也无济于事。您仍处于登录状态。",
            next: "网站管理员可以在设置中改用其他 {provider} 产品。"
        ),
        accessEnded: ProblemText(
            "请重新登录",
            "您在 {provider} 授予本站的权限已到期或被撤销。",
            next: "重新登录即可恢复。"
        ),
        storeUnavailable: ProblemText(
            "会话功能暂时不可用",
            "本站目前无法读取或保存会话。这不是您的问题。",
            next: "请稍后重试。"
        ),
        crossSite: ProblemText(
            "未退出登录",
            "退出请求来自其他网站，本站没有执行。",
            next: "如需退出，请使用首页上的按钮。"
        ),
        formNotKept: ProblemText(
            "您的表单没有提交",
            "此页面仅供已登录的用户使用，登录期间本站未能保留您的表单。",
            next: "请先使用 {provider} 登录，然后在浏览器中后退：您填写的内容通常还在。再重新提交即可。"
        ),
        formGone: ProblemText(
            "您的表单已不在这里",
            "表单只为同一浏览器保留十分钟。它没有被提交。",
            next: "请重新填写并提交。在浏览器中后退也许能找回您填写的内容。"
        ),
        signOutUnfinished: ProblemText(
            "您仅在此浏览器中退出了登录",
            "此浏览器已不再保存您的会话，但本站未能结束会话本身。",
            next: "如果有人持有该会话的副本，它在到期之前仍然有效。如有担心，请联系本站的管理人员。"
        ),
        formDamaged: ProblemText(
            "无法打开您的表单",
            "您登录期间保留的表单内容已损坏。它没有被提交。",
            next: "请重新填写并提交。在浏览器中后退也许能找回您填写的内容。"
        ),
        formSent: ProblemText(
            "您的表单已经提交过",
            "每份表单只提交一次。点击后退、刷新页面或重复点击都可能再次提交。",
            next: "本站没有再次提交。请在网站上查看它是否已经送达。"
        ),
        formRefused: ProblemText(
            "此表单没有提交",
            "提交已保留表单的请求并非来自本站为它生成的页面。",
            next: "请重新打开表单并从那里提交。"
        ),
        formUnsent: ProblemText(
            "您的表单仍在这里",
            "您已登录，但本站未能连接到表单所属的页面。表单没有提交。",
            next: "请稍后重试。表单总共保留十分钟。"
        ),
        formUnanswered: ProblemText(
            "您的表单可能已经送达",
            "表单已经提交，但本站未能读取回应。",
            next: "再次提交之前，请先在网站上查看它是否已经送达。本站不会重复提交表单。"
        ),
        formTimedOut: ProblemText(
            "尚未收到对您表单的回应",
            "表单已经提交，但回应超时。",
            next: "再次提交之前，请先在网站上查看它是否已经送达。本站不会重复提交表单。"
        ),
        internalError: ProblemText(
            "本站出现故障",
            "这是本站的问题，与您的操作无关。",
            next: "请稍后重试。如果问题再次出现，请将下方的编号告知网站管理员。"
        )
    )
}
