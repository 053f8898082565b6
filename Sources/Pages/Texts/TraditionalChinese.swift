/// The texts of the pages in traditional Chinese: one `key = text` in each line.
let traditionalChineseTexts = """
    # See en.txt for the rules of this file.

    direction = ltr
    language = 繁體中文
    date = {year}年{month}月{day}日
    months = 1 2 3 4 5 6 7 8 9 10 11 12

    # The home page

    home = 首頁
    welcomeTitle = 登入 {site}
    welcomeLead = 您將前往 {provider} 登入，本站不會得知您的密碼。
    signIn = 使用 {provider} 登入
    choiceLead = 請選擇登入方式。本站不會得知您的密碼。
    choiceLast = 您上次使用此方式登入。
    choiceForm = 您的表單已保留。請在十分鐘內登入，本站隨後會送出表單。
    signedInTitle = 您已登入
    continueToSite = 前往 {site}
    signOut = 登出
    signOutEverywhere = 在所有瀏覽器中登出
    signedIn.sessions = 您已在 {count} 個瀏覽器中登入。
    showProfileLink = 查看我的個人檔案連結
    openProfile = 開啟我的 {provider} 個人檔案
    showDetails = 查看我的 {provider} 資料

    # The profile page

    profileTitle = 您的 {provider} 個人檔案
    profileLink = 個人檔案連結
    copyLink = 複製連結
    linkCopied = 已複製
    noLinkTitle = 沒有個人檔案連結
    noLinkSent = {provider} 沒有提供您的個人檔案連結。如要自行複製，請在 {provider} 開啟您的個人檔案，然後從網址列複製連結。
    locale = 語言
    profileLocale = {provider} 上的語言

    received.now = 剛剛從 {provider} 取得。
    received.minutes = {count} 分鐘前從 {provider} 取得。
    received.hours = {count} 小時前從 {provider} 取得。
    received.days = {count} 天前從 {provider} 取得。

    # The page after signing out

    signedOutTitle = 您已登出 {site}
    signedOutEverywhere = 您已在所有瀏覽器中登出
    signedOutAdvice = 您在 {provider} 可能仍處於登入狀態。如果要使用其他帳號，或其他人也會使用這個瀏覽器，請一併登出 {provider}。
    signedOutReturn = 重新登入後將前往此頁面：
    signOutAtProvider = 登出 {provider}
    signInAgain = 重新登入

    # The pages that delete what is stored about a member

    forget = 刪除我的資料
    forgetTitle = 要刪除您的資料嗎？
    forgetLead = 您將在所有瀏覽器中登出，本站登入服務儲存的姓名、電子郵件地址、個人檔案和 {provider} 權杖都會刪除。
    forgetTokens = 您的個人權杖也會刪除。
    forgetFinal = 這項操作無法復原。
    forgetRest = 記錄檔和備份會保留一段時間，其中可能仍有您的 {provider} 識別碼和 IP 位址。本站的其他部分可能還儲存了您的其他資訊。在您到 {provider} 移除本站之前，本站仍會列在已授權的服務中。
    forgetMore = 其他地方仍會保留的資料
    forgetCancel = 保留我的資料
    forgottenTitle = 您的資料已刪除
    deleted.sessions = 您已在 {count} 個瀏覽器中登出，您的姓名、電子郵件地址、個人檔案和 {provider} 權杖都已刪除。
    forgottenTokens = 您的個人權杖也已刪除。

    # Personal tokens for scripts

    tokens = 個人權杖
    tokensLead = 指令碼可以使用個人權杖，以您的身分存取本站的指定路徑。任何持有該權杖的人，都能在這些路徑下執行與您相同的操作。
    tokensNone = 您沒有個人權杖。
    tokenMade = 您的新權杖
    tokenMadeLead = 請立即複製。權杖不會再次顯示。
    copyToken = 複製權杖
    tokenName = 名稱
    tokenLocations = 路徑
    tokenLocationsHint = 用空格分隔多個路徑，例如 /reports/ /files/。只填 / 表示您能開啟的所有頁面。
    tokenDays = 有效天數
    tokenCreated = 建立日期
    tokenEnds = 到期日
    tokenUsed = 上次使用
    tokenUnused = 尚未使用
    tokenRevoke = 撤銷
    tokenRevokeSure = 使用這個權杖的指令碼會立即停止運作。
    tokenNew = 新權杖
    tokenMake = 建立權杖
    tokenRecent = 您上次登入已超過一小時。要建立權杖，請先重新登入。
    tokenNameWrong = 未建立權杖：請填寫名稱，最多 100 個字元。
    tokenLocationsWrong = 未建立權杖：請填寫 1 至 20 個路徑，用空格分隔。
    tokenPathWrong = 未建立權杖：「{path}」不是有效的路徑。路徑以 / 開頭，最多 200 個字元，只能包含英文字母、數字、- . _ ~ 和不連續的斜線，不能包含 /./ 或 /../。
    tokenDaysWrong = 未建立權杖：請填寫 1 到 {count} 之間的天數。
    tokenFormOld = 這個網頁開啟的時間過長，未建立權杖。請重新送出表單。
    tokensFull = 您的權杖過多，未能建立。請撤銷不需要的權杖。
    tokenStoreFull = 本站可儲存的權杖數量已達上限，未能建立。請聯絡網站管理員。

    # The page that sends a form which was kept during the sign-in

    resumeTitle = 您的表單可以送出了
    resumeLead = 您已登入。本站保留了您的表單，只會送出一次。
    resumeTarget = 送出至
    resumeSend = 送出表單
    resumeDiscard = 捨棄表單
    resumeDiscardSure = 本站會刪除您的表單，不會送出。

    # Pages about problems

    tryAgain = 再試一次
    signInNewTab = 在新分頁中登入
    useAnotherAccount = 使用其他帳號
    account = 帳號
    contact = 申請存取權限請洽：
    requestID = 要求編號

    wait.seconds = 請在約 {count} 秒後再試一次。
    wait.minutes = 請在約 {count} 分鐘後再試一次。
    wait.hours = 請在約 {count} 小時後再試一次。
    wait.days = 請在約 {count} 天後再試一次。

    not_found.title = 找不到網頁
    not_found.happened = 這個網址沒有對應的網頁。
    not_found.next = 請檢查網址是否正確，或從首頁開始。

    method_not_allowed.title = 這裡不支援這項操作
    method_not_allowed.happened = 這個網址不接受瀏覽器送出的要求方式。

    bad_request.title = 無法讀取要求
    bad_request.happened = 本站無法理解瀏覽器送出的內容。

    too_large.title = 資料過大
    too_large.happened = 瀏覽器送出的資料超過這個網頁的上限，可能是 Cookie 太多。
    too_large.next = 如果問題再次發生，請清除本站的 Cookie。

    address_too_long.title = 網址過長
    address_too_long.happened = 登入後才能查看這個網頁，而這個網址太長，登入後本站無法帶您回到這裡。
    address_too_long.next = 請先登入。登入後會進入首頁，屆時可以再次開啟這個網址。

    sign_in_needed.title = 請先登入
    sign_in_needed.happened = 登入後才能查看這個網頁。如果您登入過，則登入已到期。

    account_not_allowed.title = 這個帳號沒有存取權限
    account_not_allowed.happened = 您已使用 {provider} 登入，但這個帳號無權查看這個網頁。
    account_not_allowed.next = 使用其他帳號時，本站會先將您登出。如要在 {provider} 更換帳號，可能也需要登出 {provider}。

    email_not_verified.title = 您的電子郵件地址尚未驗證
    email_not_verified.happened = 這個網頁僅供已在 {provider} 驗證電子郵件地址的使用者查看。您的地址尚未在那裡驗證。
    email_not_verified.next = 請先在 {provider} 驗證您的電子郵件地址，然後重新登入。

    email_missing.title = {provider} 沒有提供電子郵件地址
    email_missing.happened = 這個網頁僅供已在 {provider} 驗證電子郵件地址的使用者查看。{provider} 沒有提供您帳號的電子郵件地址。
    email_missing.next = 請先在 {provider} 為您的帳號新增並驗證電子郵件地址，然後重新登入。

    forbidden.title = 這個網頁未開放
    forbidden.happened = 本站不會向任何帳號顯示這個網頁。
    forbidden.next = 如果您需要這個網頁，請聯絡網站管理員，並提供要求編號。

    session_cookie_lost.title = 瀏覽器沒有保持您的登入狀態
    session_cookie_lost.happened = 您已登入三次，但瀏覽器沒有記住您的登入。
    session_cookie_lost.next = 請在獨立的分頁中以 https 開頭的網址開啟本站，允許本站使用 Cookie，停用會刪除 Cookie 的擴充功能，並檢查系統時間是否正確，然後再試一次。

    session_unknown.title = 本站無法辨識您的登入
    session_unknown.happened = 您已登入三次。瀏覽器記住了您的登入，但本站無法辨識。
    session_unknown.next = 請清除本站的 Cookie，然後再試一次。如果問題再次發生，請聯絡網站管理員，並提供要求編號。

    session_too_old.title = 本站各伺服器的時鐘不一致
    session_too_old.happened = 您已登入三次，但對於這個網頁，您的登入時間仍被視為過久。本站有一台伺服器的時鐘不正確。
    session_too_old.next = 請聯絡網站管理員，並提供要求編號。

    sign_in_cancelled.title = 已取消登入
    sign_in_cancelled.happened = 您沒有在 {provider} 完成登入。{provider} 沒有向本站提供任何資料。

    scope_refused.title = {provider} 拒絕了要求
    scope_refused.happened = 本站要求的權限超出 {provider} 的許可範圍。這不是您的問題。
    scope_refused.next = 請聯絡網站管理員，並提供要求編號。

    state_missing.title = 無法完成登入
    state_missing.happened = 這個瀏覽器沒有開始這次登入的記錄。可能是 Cookie 遭到封鎖、這個網頁被重新載入，或您是在其他瀏覽器、其他應用程式或本站的其他網址開始登入。
    state_missing.next = 請在這個瀏覽器中透過 {address} 再試一次。如果再次看到這個網頁，請允許本站使用 Cookie。

    unencrypted_cookie_lost.title = 瀏覽器沒有記住這次登入
    unencrypted_cookie_lost.happened = 本站網址以 http:// 開頭。Safari 等 WebKit 瀏覽器不會為這類網址儲存安全 Cookie，在本機上也一樣。
    unencrypted_cookie_lost.next = 如果您重新載入了這個網頁，或是在其他瀏覽器中開始登入，請再試一次。否則，請改用 Chrome 或 Firefox，或以 https:// 開頭的網址開啟本站。如果您已經使用這些瀏覽器，請允許本站使用 Cookie。

    state_expired.title = 登入逾時
    state_expired.happened = 為了您的安全，登入必須在十分鐘內完成。

    state_used.title = 這次登入已經使用過
    state_used.happened = 每次登入只能使用一次。返回上一頁、重新整理或連按兩下都可能造成重複。
    state_used.next = 您可能已經登入，請查看首頁，或重新登入。

    callback_malformed.title = 網址無效
    callback_malformed.happened = 從 {provider} 返回本站的網址不完整或不正確。

    provider_refused_us.title = {provider} 無法辨識本站
    provider_refused_us.happened = {provider} 拒絕了本站本身的認證資訊。您的帳號沒有問題。
    provider_refused_us.next = 請聯絡網站管理員，並提供要求編號。

    clock_wrong.title = 本站的時鐘不正確
    clock_wrong.happened = {provider} 確認您登入的時間晚於本站時鐘的目前時間，因此本站無法接受。
    clock_wrong.next = 請聯絡網站管理員，並提供要求編號。

    code_refused.title = {provider} 未確認您的登入
    code_refused.happened = {provider} 拒絕了這次登入的一次性代碼，代碼可能已經過期。
    code_refused.next = 請再試一次以取得新的代碼。

    provider_unavailable.title = 無法連線至 {provider}
    provider_unavailable.happened = 本站沒有收到 {provider} 的有效回應。

    provider_timed_out.title = {provider} 回應逾時
    provider_timed_out.happened = {provider} 沒有及時回應本站。

    provider_busy.title = 目前登入人數過多
    provider_busy.happened = 本站正在等待 {provider} 回應大量要求。

    too_many_requests.title = 來自您所在網路的要求過多
    too_many_requests.happened = 您所在的網路目前有很多人在本站登入，已達到單一網路的上限。您不會遺失任何內容。

    provider_throttled.title = 對 {provider} 的要求過多
    provider_throttled.happened = {provider} 目前不再接受本站的要求。

    identity_rejected.title = 無法確認您的身分
    identity_rejected.happened = {provider} 傳來的身分資料沒有通過本站的檢查。您尚未登入。
    identity_rejected.next = 請再試一次。如果問題再次發生，請聯絡網站管理員，並提供要求編號。

    profile_unavailable.title = 目前無法取得您的個人檔案
    profile_unavailable.happened = {provider} 沒有傳來您的個人檔案。您仍處於登入狀態。

    profile_denied.title = {provider} 未提供您的個人檔案
    profile_denied.happened = {provider} 不允許本站讀取個人檔案。您仍處於登入狀態。
    profile_denied.next = 請聯絡網站管理員，並提供要求編號。

    profile_gone.title = {provider} 已關閉這項服務
    profile_gone.happened = {provider} 不再以這種方式提供個人檔案，再試一次也沒有幫助。您仍處於登入狀態。
    profile_gone.next = 請聯絡網站管理員，並提供要求編號。

    version_retired.title = {provider} 的這項服務已更新
    version_retired.happened = 本站使用的服務版本已被 {provider} 停用。您仍處於登入狀態。
    version_retired.next = 請聯絡網站管理員，並提供要求編號。

    access_pending.title = {provider} 還需要一點時間
    access_pending.happened = 您已同意登入，但 {provider} 在十秒內沒有辨識它剛剛核發的授權。
    access_pending.next = 請等待十秒後再試一次。您無須再次登入 {provider}。

    access_ended.title = 請重新登入
    access_ended.happened = 您在 {provider} 對本站的授權已過期或遭撤銷。

    store_unavailable.title = 暫時無法使用登入功能
    store_unavailable.happened = 本站目前無法確認登入狀態。這不是您的問題。

    cross_site.title = 您尚未登出
    cross_site.happened = 登出要求來自其他網站，本站已忽略該要求。

    deletion_refused.title = 未刪除任何資料
    deletion_refused.happened = 刪除資料的要求來自其他網站，本站已忽略該要求。
    deletion_refused.next = 如要刪除資料，請使用下一頁的按鈕。

    account_changed.title = 未變更任何內容
    account_changed.happened = 開啟上一個頁面後，這個瀏覽器已使用其他帳號登入，因此本站已忽略該表單。
    account_changed.next = 首頁會顯示目前登入的帳號。請從首頁重新操作。

    change_needs_sign_in.title = 未變更或刪除任何內容
    change_needs_sign_in.happened = 您尚未在這個瀏覽器中登入，因此本站已忽略該表單。如果您登入過，則該登入已結束。
    change_needs_sign_in.next = 請先登入，然後重新操作。

    deletion_unfinished.title = 無法全部刪除
    deletion_unfinished.happened = 本站無法讀取或變更儲存的所有資料，您的部分資料可能仍然存在。
    deletion_unfinished.next = 請在一分鐘後再試一次。如果問題再次發生，請聯絡網站管理員並提供要求編號。

    form_not_kept.title = 您的表單沒有送出
    form_not_kept.happened = 您尚未登入，本站無法在您登入期間保留表單。
    form_not_kept.next = 請保留此分頁，在新分頁中登入。然後重新載入這個網頁，並確認瀏覽器重新送出表單。

    too_many_forms.title = 來自您所在網路的表單過多
    too_many_forms.happened = 您尚未登入，而本站已為您所在的網路保留了太多表單。您的表單沒有送出。
    too_many_forms.next = 請保留此分頁，在新分頁中登入。然後重新載入這個網頁，並確認瀏覽器重新送出表單。

    form_gone.title = 本站已不再保留您的表單
    form_gone.happened = 本站只保留表單十分鐘，且僅限同一個瀏覽器使用。表單沒有送出。
    form_gone.next = 請重新填寫並送出表單。在瀏覽器中返回上一頁也許能找回您填寫的內容。

    sign_out_unfinished.title = 您只在這個瀏覽器中登出
    sign_out_unfinished.happened = 這個瀏覽器已刪除您的登入狀態，但本站無法結束該登入。
    sign_out_unfinished.next = 任何從這個瀏覽器複製了您的登入資訊的人，在其到期前仍可使用它。如有疑慮，請聯絡網站管理員。

    sessions_remain.title = 您仍處於登入狀態
    sessions_remain.happened = 本站無法在所有瀏覽器中為您登出。
    sessions_remain.next = 請在一分鐘後再試一次。如果問題再次發生，請聯絡網站管理員並提供要求編號。

    form_damaged.title = 無法開啟您的表單
    form_damaged.happened = 本站在您登入期間保留的表單已損毀。表單沒有送出。
    form_damaged.next = 請重新填寫並送出表單。在瀏覽器中返回上一頁也許能找回您填寫的內容。

    form_sent.title = 您的表單已經送出過
    form_sent.happened = 每份表單只會送出一次。返回上一頁、重新整理或連按兩下都可能造成重複要求。本站沒有再次送出表單。
    form_sent.next = 請確認網站是否已收到表單。

    form_refused.title = 表單未被接受
    form_refused.happened = 送出表單的要求並非來自本站自己的網頁。表單沒有送出。
    form_refused.next = 請在本站重新開啟表單，並從那裡送出。

    form_unsent.title = 本站仍保留著您的表單
    form_unsent.happened = 您已登入，但本站無法連線至表單的目標網頁。表單沒有送出。
    form_unsent.next = 本站只保留表單十分鐘。

    form_unanswered.title = 您的表單可能已經送出
    form_unanswered.happened = 本站已送出您的表單，但無法讀取回應。
    form_unanswered.next = 再次送出之前，請先確認網站是否已收到表單。

    form_timed_out.title = 您的表單尚未得到回應
    form_timed_out.happened = 本站已送出您的表單，但回應逾時。
    form_timed_out.next = 再次送出之前，請先確認網站是否已收到表單。

    internal_error.title = 發生問題
    internal_error.happened = 這是本站的錯誤，與您的操作無關。
    internal_error.next = 請稍後再試一次。如果問題再次發生，請聯絡網站管理員，並提供要求編號。
    """
