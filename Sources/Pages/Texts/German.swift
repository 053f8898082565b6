/// The texts of the pages in German: one `key = text` in each line.
let germanTexts = """
    # See en.txt for the rules of this file.

    direction = ltr
    language = Deutsch
    date = {day}. {month} {year}
    months = Januar Februar März April Mai Juni Juli August September Oktober November Dezember

    # The home page

    home = Startseite
    welcomeTitle = Bei {site} anmelden
    welcomeLead = Sie melden sich bei {provider} an. Diese Website erfährt Ihr Passwort nicht.
    signIn = Mit {provider} anmelden
    choiceLead = Wählen Sie, wo Sie sich anmelden. Diese Website erfährt Ihr Passwort nicht.
    choiceLast = Hier haben Sie sich zuletzt angemeldet.
    choiceForm = Ihr Formular ist gespeichert: Melden Sie sich innerhalb von zehn Minuten an, dann sendet diese Website es ab.
    signedInTitle = Sie sind angemeldet
    continueToSite = Weiter zu {site}
    signOut = Abmelden
    signOutEverywhere = Überall abmelden
    signedIn.sessions = Sie sind in {count} Browsern angemeldet.
    showProfileLink = Link zu meinem Profil anzeigen
    openProfile = Mein {provider}-Profil öffnen
    showDetails = Meine {provider}-Daten anzeigen

    # The profile page

    profileTitle = Ihr {provider}-Profil
    profileLink = Link zum Profil
    copyLink = Link kopieren
    linkCopied = Kopiert
    noLinkTitle = Kein Link zum Profil
    noLinkSent = {provider} hat für Ihr Konto keinen Link zum Profil gesendet. Sie können ihn selbst kopieren: Öffnen Sie Ihr Profil bei {provider} und kopieren Sie den Link aus der Adressleiste.
    locale = Sprache
    profileLocale = Sprache bei {provider}

    received.now = Gerade eben von {provider} erhalten.
    received.minutes = Vor {count} Minuten von {provider} erhalten.
    received.minutes[1] = Vor einer Minute von {provider} erhalten.
    received.hours = Vor {count} Stunden von {provider} erhalten.
    received.hours[1] = Vor einer Stunde von {provider} erhalten.
    received.days = Vor {count} Tagen von {provider} erhalten.
    received.days[1] = Vor einem Tag von {provider} erhalten.

    # The page after signing out

    signedOutTitle = Sie sind bei {site} abgemeldet
    signedOutEverywhere = Sie sind in allen Browsern abgemeldet
    signedOutAdvice = Bei {provider} sind Sie möglicherweise noch angemeldet. Melden Sie sich auch dort ab, wenn Sie ein anderes Konto verwenden möchten oder andere diesen Browser benutzen.
    signedOutReturn = Nach der erneuten Anmeldung gelangen Sie zu dieser Seite:
    signOutAtProvider = Bei {provider} abmelden
    signInAgain = Erneut anmelden

    # The pages that delete what is stored about a member

    forget = Meine Daten löschen
    forgetTitle = Ihre Daten löschen?
    forgetLead = Sie werden in allen Browsern abgemeldet. Der Anmeldedienst dieser Website löscht Ihren Namen, Ihre E‑Mail-Adresse, Ihr Profil und die {provider}-Tokens.
    forgetTokens = Auch Ihre persönlichen Tokens werden gelöscht.
    forgetFinal = Das kann nicht rückgängig gemacht werden.
    forgetRest = Protokolle und Sicherungskopien bleiben eine Zeit lang bestehen und können Ihre {provider}-Kennung und Ihre IP-Adresse enthalten. Andere Teile dieser Website speichern möglicherweise mehr über Sie. Bei {provider} bleibt diese Website als zugelassener Dienst eingetragen, bis Sie sie dort entfernen.
    forgetMore = Was anderswo bleibt
    forgetCancel = Meine Daten behalten
    forgottenTitle = Ihre Daten sind gelöscht
    deleted.sessions = Sie sind in {count} Browsern abgemeldet. Ihr Name, Ihre E‑Mail-Adresse, Ihr Profil und die {provider}-Tokens sind gelöscht.
    deleted.sessions[1] = Sie sind abgemeldet. Ihr Name, Ihre E‑Mail-Adresse, Ihr Profil und die {provider}-Tokens sind gelöscht.
    forgottenTokens = Auch Ihre persönlichen Tokens sind gelöscht.

    # Personal tokens for scripts

    tokens = Persönliche Tokens
    tokensLead = Mit einem persönlichen Token kann ein Skript die Pfade dieser Website, die Sie auswählen, in Ihrem Namen aufrufen. Wer das Token hat, kann dort alles tun, was Sie tun können.
    tokensNone = Sie haben keine persönlichen Tokens.
    tokenMade = Ihr neues Token
    tokenMadeLead = Kopieren Sie es jetzt. Es wird nicht noch einmal angezeigt.
    copyToken = Token kopieren
    tokenName = Bezeichnung
    tokenLocations = Pfade
    tokenLocationsHint = Trennen Sie Pfade durch Leerzeichen, zum Beispiel /berichte/ /dateien/. Ein einzelnes / steht für alle Seiten, die Sie öffnen können.
    tokenDays = Tage bis zum Ablauf
    tokenCreated = Erstellt
    tokenEnds = Läuft ab
    tokenUsed = Zuletzt verwendet
    tokenUnused = Noch nicht verwendet
    tokenRevoke = Widerrufen
    tokenRevokeSure = Skripte, die dieses Token verwenden, funktionieren dann sofort nicht mehr.
    tokenNew = Neues Token
    tokenMake = Token erstellen
    tokenRecent = Melden Sie sich zuerst erneut an, um ein Token zu erstellen. Ihre Anmeldung ist mehr als eine Stunde alt.
    tokenNameWrong = Es wurde kein Token erstellt: Geben Sie eine Bezeichnung mit höchstens 100 Zeichen ein.
    tokenLocationsWrong = Es wurde kein Token erstellt: Geben Sie 1 bis 20 Pfade ein, durch Leerzeichen getrennt.
    tokenPathWrong = Es wurde kein Token erstellt, weil „{path}“ kein gültiger Pfad ist. Ein Pfad beginnt mit /, hat höchstens 200 Zeichen und enthält nur Buchstaben ohne Umlaute, Ziffern, - . _ ~ und einzelne Schrägstriche, aber weder /./ noch /../.
    tokenDaysWrong = Es wurde kein Token erstellt: Geben Sie 1 bis {count} Tage ein.
    tokenFormOld = Es wurde kein Token erstellt, weil diese Seite zu lange offen war. Senden Sie das Formular noch einmal.
    tokensFull = Es wurde kein Token erstellt, weil Sie zu viele haben. Widerrufen Sie eines, das Sie nicht brauchen.
    tokenStoreFull = Es wurde kein Token erstellt, weil diese Website keine weiteren speichert. Bitte wenden Sie sich an den Betreiber.

    # The page that sends a form which was kept during the sign-in

    resumeTitle = Ihr Formular kann gesendet werden
    resumeLead = Sie sind jetzt angemeldet. Diese Website hat Ihr Formular aufbewahrt und sendet es genau einmal.
    resumeTarget = Senden an
    resumeSend = Formular senden
    resumeDiscard = Formular verwerfen
    resumeDiscardSure = Diese Website löscht Ihr Formular, ohne es zu senden.

    # Pages about problems

    tryAgain = Erneut versuchen
    signInNewTab = In neuem Tab anmelden
    useAnotherAccount = Anderes Konto verwenden
    account = Konto
    contact = Zugang anfragen bei:
    requestID = Anfragenummer

    wait.seconds = Versuchen Sie es in etwa {count} Sekunden erneut.
    wait.seconds[1] = Versuchen Sie es in etwa einer Sekunde erneut.
    wait.minutes = Versuchen Sie es in etwa {count} Minuten erneut.
    wait.minutes[1] = Versuchen Sie es in etwa einer Minute erneut.
    wait.hours = Versuchen Sie es in etwa {count} Stunden erneut.
    wait.hours[1] = Versuchen Sie es in etwa einer Stunde erneut.
    wait.days = Versuchen Sie es in etwa {count} Tagen erneut.
    wait.days[1] = Versuchen Sie es in etwa einem Tag erneut.

    not_found.title = Seite nicht gefunden
    not_found.happened = Unter dieser Adresse gibt es keine Seite.
    not_found.next = Prüfen Sie die Adresse oder beginnen Sie auf der Startseite.

    method_not_allowed.title = Das geht hier nicht
    method_not_allowed.happened = Ihr Browser hat eine Art von Anfrage gesendet, die diese Adresse nicht annimmt.

    bad_request.title = Die Anfrage ist nicht lesbar
    bad_request.happened = Ihr Browser hat etwas gesendet, das diese Website nicht versteht.

    too_large.title = Zu viele Daten
    too_large.happened = Ihr Browser hat mehr gesendet, als diese Seite annimmt. Das kann an zu vielen Cookies liegen.
    too_large.next = Wenn das wieder passiert, löschen Sie die Cookies dieser Website.

    address_too_long.title = Diese Adresse ist zu lang
    address_too_long.happened = Um diese Seite zu sehen, müssen Sie angemeldet sein. Zu einer so langen Adresse kann diese Website Sie nach der Anmeldung aber nicht zurückführen.
    address_too_long.next = Melden Sie sich zuerst an. Sie beginnen dann auf der Startseite und können die Adresse erneut öffnen.

    sign_in_needed.title = Bitte melden Sie sich an
    sign_in_needed.happened = Um diese Seite zu sehen, müssen Sie angemeldet sein. Wenn Sie angemeldet waren, ist Ihre Anmeldung abgelaufen.

    account_not_allowed.title = Dieses Konto hat keinen Zugang
    account_not_allowed.happened = Sie haben sich mit {provider} angemeldet, aber dieses Konto darf die Seite nicht sehen.
    account_not_allowed.next = Wenn Sie ein anderes Konto verwenden, meldet diese Website Sie zuerst ab. Um das Konto bei {provider} zu wechseln, müssen Sie sich eventuell auch dort abmelden.

    email_not_verified.title = Ihre E-Mail-Adresse ist nicht bestätigt
    email_not_verified.happened = Diese Seite ist nur für Personen, deren E‑Mail-Adresse {provider} bestätigt hat. Ihre Adresse ist dort nicht bestätigt.
    email_not_verified.next = Bestätigen Sie Ihre E‑Mail-Adresse bei {provider}. Melden Sie sich dann erneut an.

    email_missing.title = {provider} hat keine E-Mail-Adresse gesendet
    email_missing.happened = Diese Seite ist nur für Personen, deren E‑Mail-Adresse {provider} bestätigt hat. {provider} hat für Ihr Konto keine E‑Mail-Adresse gesendet.
    email_missing.next = Fügen Sie Ihrem Konto bei {provider} eine E‑Mail-Adresse hinzu und bestätigen Sie sie dort. Melden Sie sich dann erneut an.

    forbidden.title = Diese Seite ist nicht verfügbar
    forbidden.happened = Die Website zeigt diese Seite keinem Konto an.
    forbidden.next = Wenn Sie die Seite brauchen, wenden Sie sich an den Betreiber der Website und nennen Sie die Anfragenummer.

    session_cookie_lost.title = Sie bleiben in diesem Browser nicht angemeldet
    session_cookie_lost.happened = Sie haben sich dreimal angemeldet, aber Ihr Browser merkt sich das nicht.
    session_cookie_lost.next = Öffnen Sie diese Website in einem eigenen Tab und mit einer Adresse, die mit https beginnt. Erlauben Sie die Cookies dieser Website, schalten Sie Erweiterungen aus, die Cookies entfernen, und prüfen Sie, ob die Uhr Ihres Geräts richtig geht. Versuchen Sie es dann erneut.

    session_unknown.title = Diese Website erkennt Ihre Anmeldung nicht
    session_unknown.happened = Sie haben sich dreimal angemeldet. Ihr Browser merkt sich das, aber diese Website erkennt es nicht.
    session_unknown.next = Löschen Sie die Cookies dieser Website und versuchen Sie es erneut. Wenn das wieder passiert, wenden Sie sich an den Betreiber der Website und nennen Sie die Anfragenummer.

    session_too_old.title = Die Uhren dieser Website stimmen nicht überein
    session_too_old.happened = Sie haben sich dreimal angemeldet. Für diese Seite gilt Ihre Anmeldung trotzdem als zu alt. Eine Uhr der Website geht falsch.
    session_too_old.next = Wenden Sie sich an den Betreiber der Website und nennen Sie die Anfragenummer.

    sign_in_cancelled.title = Anmeldung abgebrochen
    sign_in_cancelled.happened = Sie haben die Anmeldung bei {provider} nicht abgeschlossen. {provider} hat keine Daten an diese Website weitergegeben.

    scope_refused.title = {provider} hat die Anfrage abgelehnt
    scope_refused.happened = Diese Website hat von {provider} mehr angefordert, als {provider} ihr erlaubt. Sie haben nichts falsch gemacht.
    scope_refused.next = Wenden Sie sich an den Betreiber der Website und nennen Sie die Anfragenummer.

    state_missing.title = Die Anmeldung konnte nicht abgeschlossen werden
    state_missing.happened = Ihr Browser weiß nicht mehr, dass er diese Anmeldung begonnen hat. Vielleicht sind Cookies blockiert, diese Seite wurde neu geladen oder Sie haben in einem anderen Browser, in einer anderen App oder unter einer anderen Adresse dieser Website begonnen.
    state_missing.next = Versuchen Sie es in diesem Browser unter {address} erneut. Wenn diese Seite wieder erscheint, erlauben Sie Cookies für diese Website.

    unencrypted_cookie_lost.title = Ihr Browser hat sich diese Anmeldung nicht gemerkt
    unencrypted_cookie_lost.happened = Die Adresse dieser Website beginnt mit http://. Safari und andere WebKit-Browser speichern für solche Adressen keine sicheren Cookies, auch nicht auf diesem Computer.
    unencrypted_cookie_lost.next = Wenn Sie diese Seite neu geladen oder in einem anderen Browser begonnen haben, versuchen Sie es einfach noch einmal. Verwenden Sie sonst Chrome oder Firefox oder öffnen Sie diese Website mit einer Adresse, die mit https:// beginnt. Wenn Sie einen dieser Browser schon verwenden, erlauben Sie Cookies für diese Website.

    state_expired.title = Das hat zu lange gedauert
    state_expired.happened = Zu Ihrer Sicherheit haben Sie zehn Minuten Zeit, um die Anmeldung abzuschließen.

    state_used.title = Diese Anmeldung wurde bereits verwendet
    state_used.happened = Jede Anmeldung gilt nur einmal. Die Schaltfläche „Zurück“, ein Neuladen oder ein Doppelklick kann sie wiederholen.
    state_used.next = Vielleicht sind Sie schon angemeldet. Sehen Sie auf der Startseite nach oder melden Sie sich erneut an.

    callback_malformed.title = Die Adresse ist ungültig
    callback_malformed.happened = Die Adresse, mit der Sie von {provider} zurückgekommen sind, ist unvollständig oder falsch.

    provider_refused_us.title = {provider} erkennt diese Website nicht
    provider_refused_us.happened = {provider} hat die Zugangsdaten dieser Website abgelehnt. Mit Ihrem Konto ist alles in Ordnung.
    provider_refused_us.next = Wenden Sie sich an den Betreiber der Website und nennen Sie die Anfragenummer.

    clock_wrong.title = Die Uhr dieser Website geht falsch
    clock_wrong.happened = {provider} hat Ihre Anmeldung zu einem Zeitpunkt bestätigt, der für diese Website in der Zukunft liegt. Deshalb kann sie die Anmeldung nicht annehmen.
    clock_wrong.next = Wenden Sie sich an den Betreiber der Website und nennen Sie die Anfragenummer.

    code_refused.title = {provider} hat Ihre Anmeldung nicht bestätigt
    code_refused.happened = {provider} hat den Einmalcode für diese Anmeldung abgelehnt. Möglicherweise ist er abgelaufen.
    code_refused.next = Versuchen Sie es erneut, um einen neuen Code zu erhalten.

    provider_unavailable.title = {provider} ist nicht erreichbar
    provider_unavailable.happened = Diese Website hat von {provider} keine brauchbare Antwort erhalten.

    provider_timed_out.title = {provider} hat zu lange gebraucht
    provider_timed_out.happened = {provider} hat dieser Website nicht rechtzeitig geantwortet.

    provider_busy.title = Gerade melden sich zu viele Personen an
    provider_busy.happened = Diese Website wartet auf viele Antworten von {provider}.

    too_many_requests.title = Zu viele Anfragen aus Ihrem Netzwerk
    too_many_requests.happened = Aus Ihrem Netzwerk melden sich hier gerade viele Personen an, und für jedes Netzwerk gilt eine Obergrenze. Es geht nichts verloren.

    provider_throttled.title = Zu viele Anfragen an {provider}
    provider_throttled.happened = {provider} nimmt zurzeit keine weiteren Anfragen dieser Website an.

    identity_rejected.title = Wir konnten Ihre Identität nicht bestätigen
    identity_rejected.happened = Die Angaben von {provider} zu Ihrer Person haben die Prüfungen dieser Website nicht bestanden. Sie sind nicht angemeldet.
    identity_rejected.next = Versuchen Sie es erneut. Wenn das wieder passiert, wenden Sie sich an den Betreiber der Website und nennen Sie die Anfragenummer.

    profile_unavailable.title = Ihr Profil ist gerade nicht verfügbar
    profile_unavailable.happened = {provider} hat Ihr Profil nicht gesendet. Sie sind weiterhin angemeldet.

    profile_denied.title = {provider} gibt Ihr Profil nicht weiter
    profile_denied.happened = {provider} erlaubt dieser Website nicht, Profile zu lesen. Sie sind weiterhin angemeldet.
    profile_denied.next = Wenden Sie sich an den Betreiber der Website und nennen Sie die Anfragenummer.

    profile_gone.title = {provider} hat diesen Dienst eingestellt
    profile_gone.happened = {provider} bietet Profile auf diesem Weg nicht mehr an. Ein neuer Versuch hilft nicht. Sie sind weiterhin angemeldet.
    profile_gone.next = Wenden Sie sich an den Betreiber der Website und nennen Sie die Anfragenummer.

    version_retired.title = {provider} hat diesen Dienst geändert
    version_retired.happened = Diese Website verwendet eine Version des Dienstes, die {provider} nicht mehr anbietet. Sie sind weiterhin angemeldet.
    version_retired.next = Wenden Sie sich an den Betreiber der Website und nennen Sie die Anfragenummer.

    access_pending.title = {provider} braucht noch einen Moment
    access_pending.happened = Sie haben der Anmeldung zugestimmt, aber {provider} hat die soeben erteilte Berechtigung auch nach zehn Sekunden nicht erkannt.
    access_pending.next = Warten Sie zehn Sekunden und versuchen Sie es dann noch einmal. Sie müssen sich bei {provider} nicht erneut anmelden.

    access_ended.title = Bitte melden Sie sich erneut an
    access_ended.happened = Die Berechtigung, die Sie dieser Website bei {provider} erteilt haben, ist abgelaufen oder wurde widerrufen.

    store_unavailable.title = Die Anmeldung ist vorübergehend nicht verfügbar
    store_unavailable.happened = Diese Website kann zurzeit nicht feststellen, wer angemeldet ist. Sie haben nichts falsch gemacht.

    cross_site.title = Sie wurden nicht abgemeldet
    cross_site.happened = Die Anfrage zum Abmelden kam von einer anderen Website. Deshalb wurde sie ignoriert.

    deletion_refused.title = Es wurde nichts gelöscht
    deletion_refused.happened = Die Anfrage zum Löschen Ihrer Daten kam von einer anderen Website. Deshalb wurde sie ignoriert.
    deletion_refused.next = Zum Löschen verwenden Sie die Schaltfläche auf der nächsten Seite.

    account_changed.title = Es wurde nichts geändert
    account_changed.happened = Dieser Browser hat sich mit einem anderen Konto angemeldet, seit die letzte Seite geladen wurde. Deshalb wurde das Formular ignoriert.
    account_changed.next = Die Startseite zeigt, welches Konto angemeldet ist. Wiederholen Sie von dort aus, was Sie tun wollten.

    change_needs_sign_in.title = Nichts wurde geändert oder gelöscht
    change_needs_sign_in.happened = Sie sind in diesem Browser nicht angemeldet. Deshalb hat diese Website das Formular ignoriert. Wenn Sie angemeldet waren, ist Ihre Anmeldung beendet.
    change_needs_sign_in.next = Melden Sie sich zuerst an. Wiederholen Sie dann, was Sie tun wollten.

    deletion_unfinished.title = Wir konnten nicht alles löschen
    deletion_unfinished.happened = Diese Website konnte nicht alles lesen oder ändern, was sie speichert. Ein Teil Ihrer Daten ist möglicherweise noch vorhanden.
    deletion_unfinished.next = Versuchen Sie es in einer Minute erneut. Wenn es wieder geschieht, teilen Sie dem Betreiber der Website die Anfragenummer mit.

    form_not_kept.title = Ihr Formular wurde nicht gesendet
    form_not_kept.happened = Sie sind nicht angemeldet, und diese Website konnte Ihr Formular während der Anmeldung nicht aufbewahren.
    form_not_kept.next = Lassen Sie diesen Tab offen und melden Sie sich in einem neuen Tab an. Laden Sie danach diese Seite neu und bestätigen Sie, dass Ihr Browser das Formular erneut senden soll.

    too_many_forms.title = Zu viele Formulare aus Ihrem Netzwerk
    too_many_forms.happened = Sie sind nicht angemeldet, und diese Website bewahrt schon zu viele Formulare aus Ihrem Netzwerk auf. Ihr Formular wurde nicht gesendet.
    too_many_forms.next = Lassen Sie diesen Tab offen und melden Sie sich in einem neuen Tab an. Laden Sie danach diese Seite neu und bestätigen Sie, dass Ihr Browser das Formular erneut senden soll.

    form_gone.title = Ihr Formular ist nicht mehr da
    form_gone.happened = Diese Website bewahrt ein Formular nur zehn Minuten lang und nur für einen Browser auf. Ihr Formular wurde nicht gesendet.
    form_gone.next = Füllen Sie das Formular erneut aus und senden Sie es. Vielleicht sind Ihre Eingaben noch da, wenn Sie im Browser zurückgehen.

    sign_out_unfinished.title = Sie sind nur in diesem Browser abgemeldet
    sign_out_unfinished.happened = Dieser Browser hat Ihre Anmeldung vergessen, aber die Website konnte sie nicht beenden.
    sign_out_unfinished.next = Wer Ihre Anmeldung aus diesem Browser kopiert hat, kann sie verwenden, bis sie abläuft. Wenn Sie das beunruhigt, wenden Sie sich an den Betreiber der Website.

    sessions_remain.title = Sie sind noch angemeldet
    sessions_remain.happened = Diese Website konnte Sie nicht in allen Browsern abmelden.
    sessions_remain.next = Versuchen Sie es in einer Minute erneut. Wenn es wieder geschieht, teilen Sie dem Betreiber der Website die Anfragenummer mit.

    form_damaged.title = Ihr Formular lässt sich nicht öffnen
    form_damaged.happened = Diese Website hat Ihr Formular während der Anmeldung aufbewahrt, aber es ist beschädigt. Es wurde nicht gesendet.
    form_damaged.next = Füllen Sie das Formular erneut aus und senden Sie es. Vielleicht sind Ihre Eingaben noch da, wenn Sie im Browser zurückgehen.

    form_sent.title = Ihr Formular wurde bereits gesendet
    form_sent.happened = Diese Website sendet jedes Formular nur einmal. Die Schaltfläche „Zurück“, ein Neuladen oder ein Doppelklick kann die Anfrage wiederholen. Das Formular wurde nicht noch einmal gesendet.
    form_sent.next = Prüfen Sie auf der Website, ob es angekommen ist.

    form_refused.title = Das Formular wurde nicht angenommen
    form_refused.happened = Die Anfrage, das Formular zu senden, kam nicht von einer Seite dieser Website. Das Formular wurde nicht gesendet.
    form_refused.next = Öffnen Sie das Formular auf dieser Website erneut und senden Sie es von dort.

    form_unsent.title = Ihr Formular ist noch da
    form_unsent.happened = Sie sind angemeldet, aber diese Website konnte die Seite nicht erreichen, für die das Formular bestimmt ist. Es wurde nicht gesendet.
    form_unsent.next = Diese Website bewahrt ein Formular nur zehn Minuten lang auf.

    form_unanswered.title = Ihr Formular wurde möglicherweise gesendet
    form_unanswered.happened = Diese Website hat Ihr Formular gesendet, konnte aber die Antwort nicht lesen.
    form_unanswered.next = Prüfen Sie auf der Website, ob es angekommen ist, bevor Sie es erneut senden.

    form_timed_out.title = Noch keine Antwort auf Ihr Formular
    form_timed_out.happened = Diese Website hat Ihr Formular gesendet, aber die Antwort hat zu lange gedauert.
    form_timed_out.next = Prüfen Sie auf der Website, ob es angekommen ist, bevor Sie es erneut senden.

    internal_error.title = Etwas ist schiefgegangen
    internal_error.happened = Das ist ein Fehler dieser Website. Sie haben nichts falsch gemacht.
    internal_error.next = Versuchen Sie es später erneut. Wenn das wieder passiert, wenden Sie sich an den Betreiber der Website und nennen Sie die Anfragenummer.
    """
