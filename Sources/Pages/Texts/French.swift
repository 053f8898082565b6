/// The texts of the pages in French: one `key = text` in each line.
let frenchTexts = """
    # See en.txt for the rules of this file.

    direction = ltr
    language = Français
    date = {day} {month} {year}
    date[1] = 1er {month} {year}
    months = janvier février mars avril mai juin juillet août septembre octobre novembre décembre

    # The home page

    home = Accueil
    welcomeTitle = Se connecter à {site}
    welcomeLead = Vous vous connectez sur {provider}. Ce site ne voit jamais votre mot de passe.
    signIn = Se connecter avec {provider}
    choiceLead = Choisissez où vous connecter. Ce site ne voit jamais votre mot de passe.
    choiceLast = Votre dernière connexion s’est faite ici.
    choiceForm = Votre formulaire est conservé : connectez-vous dans les dix minutes, et ce site l’enverra.
    signedInTitle = Vous êtes connecté
    continueToSite = Continuer vers {site}
    signOut = Se déconnecter
    signOutEverywhere = Se déconnecter partout
    signedIn.sessions = Vous êtes connecté dans {count} navigateurs.
    showProfileLink = Voir le lien de mon profil
    openProfile = Ouvrir mon profil {provider}
    showDetails = Voir mes informations {provider}

    # The profile page

    profileTitle = Votre profil {provider}
    profileLink = Lien du profil
    copyLink = Copier le lien
    linkCopied = Copié
    noLinkTitle = Aucun lien de profil
    noLinkSent = {provider} n’a envoyé aucun lien de profil pour votre compte. Pour le copier vous-même, ouvrez votre profil sur {provider} et copiez le lien dans la barre d’adresse.
    locale = Langue
    profileLocale = Langue sur {provider}

    received.now = Reçu de {provider} à l’instant.
    received.minutes = Reçu de {provider} il y a {count} minutes.
    received.minutes[1] = Reçu de {provider} il y a {count} minute.
    received.hours = Reçu de {provider} il y a {count} heures.
    received.hours[1] = Reçu de {provider} il y a {count} heure.
    received.days = Reçu de {provider} il y a {count} jours.
    received.days[1] = Reçu de {provider} il y a {count} jour.

    # The page after signing out

    signedOutTitle = Vous êtes déconnecté de {site}
    signedOutEverywhere = Vous êtes déconnecté dans tous les navigateurs
    signedOutAdvice = Vous êtes peut-être encore connecté à {provider}. Déconnectez-vous aussi de {provider} si vous voulez utiliser un autre compte ou si d’autres personnes utilisent ce navigateur.
    signedOutReturn = Une fois reconnecté, vous arriverez à cette page :
    signOutAtProvider = Se déconnecter de {provider}
    signInAgain = Se reconnecter

    # The pages that delete what is stored about a member

    forget = Supprimer mes données
    forgetTitle = Supprimer vos données ?
    forgetLead = Vous serez déconnecté dans tous les navigateurs. Le service de connexion de ce site supprimera votre nom, votre adresse e‑mail, votre profil et les jetons {provider}.
    forgetTokens = Il supprimera aussi vos jetons personnels.
    forgetFinal = Cette action est irréversible.
    forgetRest = Les journaux et les sauvegardes sont conservés quelque temps et peuvent contenir votre identifiant {provider} et votre adresse IP. D’autres parties de ce site peuvent conserver plus de données sur vous. {provider} garde ce site dans la liste des services autorisés jusqu’à ce que vous l’y supprimiez.
    forgetMore = Ce qui reste ailleurs
    forgetCancel = Conserver mes données
    forgottenTitle = Vos données sont supprimées
    deleted.sessions = Vous êtes déconnecté dans {count} navigateurs. Votre nom, votre adresse e‑mail, votre profil et les jetons {provider} sont supprimés.
    deleted.sessions[1] = Vous êtes déconnecté. Votre nom, votre adresse e‑mail, votre profil et les jetons {provider} sont supprimés.
    forgottenTokens = Vos jetons personnels sont également supprimés.

    # Personal tokens for scripts

    tokens = Jetons personnels
    tokensLead = Avec un jeton personnel, un script peut accéder en votre nom aux chemins de ce site que vous choisissez. Toute personne qui possède le jeton peut y faire la même chose que vous.
    tokensNone = Vous n’avez aucun jeton personnel.
    tokenMade = Votre nouveau jeton
    tokenMadeLead = Copiez-le maintenant. Il ne sera plus affiché.
    copyToken = Copier le jeton
    tokenName = Nom
    tokenLocations = Chemins
    tokenLocationsHint = Séparez les chemins par des espaces, par exemple /rapports/ /fichiers/. Un seul / désigne toutes les pages que vous pouvez ouvrir.
    tokenDays = Jours avant l’expiration
    tokenCreated = Créé
    tokenEnds = Expire
    tokenUsed = Dernière utilisation
    tokenUnused = Pas encore utilisé
    tokenRevoke = Révoquer
    tokenRevokeSure = Les scripts qui utilisent ce jeton cesseront aussitôt de fonctionner.
    tokenNew = Nouveau jeton
    tokenMake = Créer un jeton
    tokenRecent = Pour créer un jeton, reconnectez-vous d’abord. Votre connexion date de plus d’une heure.
    tokenNameWrong = Aucun jeton n’a été créé : saisissez un nom de 100 caractères au maximum.
    tokenLocationsWrong = Aucun jeton n’a été créé : saisissez de 1 à 20 chemins séparés par des espaces.
    tokenPathWrong = Aucun jeton n’a été créé, car « {path} » n’est pas un chemin valide. Un chemin commence par /, compte 200 caractères au plus et ne contient que des lettres sans accent, des chiffres, - . _ ~ et des barres obliques simples, mais ni /./ ni /../.
    tokenDaysWrong = Aucun jeton n’a été créé : saisissez un nombre de jours entre 1 et {count}.
    tokenFormOld = Aucun jeton n’a été créé, car cette page est restée ouverte trop longtemps. Envoyez de nouveau le formulaire.
    tokensFull = Aucun jeton n’a été créé, car vous en avez trop. Révoquez-en un dont vous n’avez pas besoin.
    tokenStoreFull = Aucun jeton n’a été créé, car ce site ne peut pas en enregistrer davantage. Contactez le responsable du site.

    # The page that sends a form which was kept during the sign-in

    resumeTitle = Votre formulaire est prêt à être envoyé
    resumeLead = Vous êtes maintenant connecté. Ce site a conservé votre formulaire et ne l’enverra qu’une fois.
    resumeTarget = Envoyer à
    resumeSend = Envoyer mon formulaire
    resumeDiscard = Abandonner le formulaire
    resumeDiscardSure = Ce site supprimera votre formulaire sans l’envoyer.

    # Pages about problems

    tryAgain = Réessayer
    signInNewTab = Se connecter dans un nouvel onglet
    useAnotherAccount = Utiliser un autre compte
    account = Compte
    contact = Pour demander l’accès :
    requestID = Numéro de requête

    wait.seconds = Réessayez dans environ {count} secondes.
    wait.seconds[1] = Réessayez dans environ {count} seconde.
    wait.minutes = Réessayez dans environ {count} minutes.
    wait.minutes[1] = Réessayez dans environ {count} minute.
    wait.hours = Réessayez dans environ {count} heures.
    wait.hours[1] = Réessayez dans environ {count} heure.
    wait.days = Réessayez dans environ {count} jours.
    wait.days[1] = Réessayez dans environ {count} jour.

    not_found.title = Page introuvable
    not_found.happened = Il n’y a pas de page à cette adresse.
    not_found.next = Vérifiez l’adresse ou repartez de la page d’accueil.

    method_not_allowed.title = Action impossible ici
    method_not_allowed.happened = Votre navigateur a envoyé un type de requête que cette adresse n’accepte pas.

    bad_request.title = Requête illisible
    bad_request.happened = Ce site ne comprend pas ce que votre navigateur a envoyé.

    too_large.title = Trop de données
    too_large.happened = Votre navigateur a envoyé plus de données que cette page n’en accepte. Un trop grand nombre de cookies peut en être la cause.
    too_large.next = Si cela se reproduit, supprimez les cookies de ce site.

    address_too_long.title = Cette adresse est trop longue
    address_too_long.happened = Vous devez être connecté pour voir cette page, et ce site ne peut pas vous ramener à une adresse aussi longue.
    address_too_long.next = Connectez-vous d’abord. Vous arriverez sur la page d’accueil et pourrez rouvrir l’adresse.

    sign_in_needed.title = Connectez-vous
    sign_in_needed.happened = Vous devez être connecté pour voir cette page. Si vous étiez connecté, votre connexion a expiré.

    account_not_allowed.title = Ce compte n’a pas accès à cette page
    account_not_allowed.happened = Vous êtes connecté avec {provider}, mais ce compte n’est pas autorisé à voir cette page.
    account_not_allowed.next = Si vous utilisez un autre compte, ce site vous déconnecte d’abord. Pour changer de compte sur {provider}, vous devrez peut-être vous y déconnecter aussi.

    email_not_verified.title = Votre adresse e-mail n’est pas confirmée
    email_not_verified.happened = Cette page est réservée aux personnes dont {provider} a confirmé l’adresse e‑mail. La vôtre n’y est pas confirmée.
    email_not_verified.next = Confirmez votre adresse e‑mail sur {provider}, puis reconnectez-vous.

    email_missing.title = {provider} n’a envoyé aucune adresse e-mail
    email_missing.happened = Cette page est réservée aux personnes dont {provider} a confirmé l’adresse e‑mail. {provider} n’a envoyé aucune adresse e‑mail pour votre compte.
    email_missing.next = Ajoutez une adresse e‑mail à votre compte sur {provider} et confirmez-la, puis reconnectez-vous.

    forbidden.title = Cette page n’est pas disponible
    forbidden.happened = Le site n’affiche cette page pour aucun compte.
    forbidden.next = Si vous avez besoin de cette page, contactez les responsables du site en indiquant le numéro de requête.

    session_cookie_lost.title = Vous ne restez pas connecté dans ce navigateur
    session_cookie_lost.happened = Vous vous êtes connecté trois fois, mais votre navigateur ne s’en souvient pas.
    session_cookie_lost.next = Ouvrez ce site dans un onglet à part, à une adresse qui commence par https. Autorisez ses cookies, désactivez les extensions qui suppriment les cookies et vérifiez que votre appareil est à l’heure. Réessayez ensuite.

    session_unknown.title = Ce site ne reconnaît pas votre connexion
    session_unknown.happened = Vous vous êtes connecté trois fois. Votre navigateur s’en souvient, mais ce site ne le reconnaît pas.
    session_unknown.next = Supprimez les cookies de ce site, puis réessayez. Si cela se reproduit, contactez les responsables du site en indiquant le numéro de requête.

    session_too_old.title = Les horloges de ce site ne concordent pas
    session_too_old.happened = Vous vous êtes connecté trois fois, mais votre connexion reste trop ancienne pour cette page. L’une des horloges du site n’est pas à l’heure.
    session_too_old.next = Contactez les responsables du site en indiquant le numéro de requête.

    sign_in_cancelled.title = Connexion annulée
    sign_in_cancelled.happened = Vous n’avez pas terminé la connexion sur {provider}. {provider} n’a rien transmis à ce site.

    scope_refused.title = {provider} a refusé la requête
    scope_refused.happened = Ce site a demandé à {provider} plus que {provider} ne lui permet. Vous n’y êtes pour rien.
    scope_refused.next = Contactez les responsables du site en indiquant le numéro de requête.

    state_missing.title = Impossible de terminer la connexion
    state_missing.happened = Votre navigateur ne se souvient pas d’avoir commencé cette connexion. Les cookies sont peut-être bloqués, cette page a peut-être été rechargée, ou vous avez commencé dans un autre navigateur, dans une autre application ou à une autre adresse de ce site.
    state_missing.next = Réessayez dans ce navigateur à l’adresse {address}. Si cette page s’affiche de nouveau, autorisez les cookies de ce site.

    unencrypted_cookie_lost.title = Votre navigateur n’a pas mémorisé cette connexion
    unencrypted_cookie_lost.happened = L’adresse de ce site commence par http://. Safari et les autres navigateurs WebKit n’enregistrent pas de cookies sécurisés pour une telle adresse, même sur cet ordinateur.
    unencrypted_cookie_lost.next = Si vous avez actualisé cette page ou commencé dans un autre navigateur, réessayez simplement. Sinon, utilisez Chrome ou Firefox, ou ouvrez ce site à une adresse https://. Si vous utilisez déjà l’un de ces navigateurs, autorisez les cookies de ce site.

    state_expired.title = Délai dépassé
    state_expired.happened = Pour votre sécurité, vous avez dix minutes pour terminer la connexion.

    state_used.title = Cette connexion a déjà servi
    state_used.happened = Chaque connexion ne sert qu’une fois. Le bouton Retour, une actualisation ou un double clic peuvent la répéter.
    state_used.next = Vous êtes peut-être déjà connecté. Vérifiez sur la page d’accueil ou reconnectez-vous.

    callback_malformed.title = Adresse non valide
    callback_malformed.happened = L’adresse par laquelle {provider} vous a renvoyé ici est incomplète ou incorrecte.

    provider_refused_us.title = {provider} ne reconnaît pas ce site
    provider_refused_us.happened = {provider} a refusé les identifiants propres à ce site. Votre compte n’est pas en cause.
    provider_refused_us.next = Contactez les responsables du site en indiquant le numéro de requête.

    clock_wrong.title = L’horloge de ce site n’est pas à l’heure
    clock_wrong.happened = {provider} a confirmé votre connexion à une heure qui, pour ce site, est dans le futur. Le site ne peut donc pas l’accepter.
    clock_wrong.next = Contactez les responsables du site en indiquant le numéro de requête.

    code_refused.title = {provider} n’a pas confirmé votre connexion
    code_refused.happened = {provider} a refusé le code à usage unique de cette connexion. Il a peut-être expiré.
    code_refused.next = Réessayez pour obtenir un nouveau code.

    provider_unavailable.title = {provider} est injoignable
    provider_unavailable.happened = Ce site n’a pas reçu de réponse exploitable de {provider}.

    provider_timed_out.title = {provider} a mis trop de temps à répondre
    provider_timed_out.happened = {provider} n’a pas répondu à temps à ce site.

    provider_busy.title = Trop de connexions en ce moment
    provider_busy.happened = Ce site attend de nombreuses réponses de {provider}.

    too_many_requests.title = Trop de requêtes depuis votre réseau
    too_many_requests.happened = De nombreuses personnes de votre réseau se connectent ici en ce moment, et le nombre de requêtes par réseau est limité. Rien n’est perdu.

    provider_throttled.title = Trop de requêtes vers {provider}
    provider_throttled.happened = Pour le moment, {provider} n’accepte plus de requêtes de ce site.

    identity_rejected.title = Impossible de vérifier votre identité
    identity_rejected.happened = Les informations envoyées par {provider} à votre sujet n’ont pas satisfait aux contrôles de ce site. Vous n’êtes pas connecté.
    identity_rejected.next = Réessayez. Si cela se reproduit, contactez les responsables du site en indiquant le numéro de requête.

    profile_unavailable.title = Votre profil n’est pas disponible pour le moment
    profile_unavailable.happened = {provider} n’a pas envoyé votre profil. Vous êtes toujours connecté.

    profile_denied.title = {provider} ne partage pas votre profil
    profile_denied.happened = {provider} n’autorise pas ce site à lire les profils. Vous êtes toujours connecté.
    profile_denied.next = Contactez les responsables du site en indiquant le numéro de requête.

    profile_gone.title = {provider} a fermé ce service
    profile_gone.happened = {provider} ne fournit plus les profils de cette manière. Réessayer ne servira à rien. Vous êtes toujours connecté.
    profile_gone.next = Contactez les responsables du site en indiquant le numéro de requête.

    version_retired.title = {provider} a modifié ce service
    version_retired.happened = Ce site utilise une version de ce service que {provider} ne propose plus. Vous êtes toujours connecté.
    version_retired.next = Contactez les responsables du site en indiquant le numéro de requête.

    access_pending.title = {provider} a besoin d’un peu plus de temps
    access_pending.happened = Vous avez autorisé la connexion, mais, au bout de dix secondes, {provider} ne reconnaissait toujours pas l’autorisation qui venait d’être accordée.
    access_pending.next = Attendez dix secondes, puis réessayez. Vous n’aurez pas à vous reconnecter sur {provider}.

    access_ended.title = Reconnectez-vous
    access_ended.happened = L’autorisation donnée à ce site sur {provider} a expiré ou a été retirée.

    store_unavailable.title = La connexion est temporairement indisponible
    store_unavailable.happened = Ce site ne peut pas savoir qui est connecté pour le moment. Vous n’avez rien fait de mal.

    cross_site.title = Vous n’avez pas été déconnecté
    cross_site.happened = La requête de déconnexion venait d’un autre site. Elle a été ignorée.

    deletion_refused.title = Rien n’a été supprimé
    deletion_refused.happened = La requête de suppression de vos données venait d’un autre site. Elle a été ignorée.
    deletion_refused.next = Pour supprimer vos données, utilisez le bouton de la page suivante.

    account_changed.title = Rien n’a été modifié
    account_changed.happened = Ce navigateur s’est connecté avec un autre compte depuis le chargement de la dernière page. Le formulaire a été ignoré.
    account_changed.next = La page d’accueil indique quel compte est connecté. Recommencez à partir de là ce que vous vouliez faire.

    change_needs_sign_in.title = Rien n’a été modifié ni supprimé
    change_needs_sign_in.happened = Vous n’êtes pas connecté dans ce navigateur. Le formulaire a donc été ignoré. Si vous étiez connecté, votre connexion a pris fin.
    change_needs_sign_in.next = Connectez-vous d’abord, puis recommencez ce que vous vouliez faire.

    deletion_unfinished.title = Nous n’avons pas pu tout supprimer
    deletion_unfinished.happened = Ce site n’a pas pu lire ou modifier tout ce qu’il conserve. Une partie de vos données est peut-être encore présente.
    deletion_unfinished.next = Réessayez dans une minute. Si cela se reproduit, contactez les responsables du site en indiquant le numéro de requête.

    form_not_kept.title = Votre formulaire n’a pas été envoyé
    form_not_kept.happened = Vous n’êtes pas connecté, et ce site n’a pas pu conserver votre formulaire pendant la connexion.
    form_not_kept.next = Laissez cet onglet ouvert et connectez-vous dans un nouvel onglet. Rechargez ensuite cette page et confirmez que votre navigateur doit renvoyer le formulaire.

    too_many_forms.title = Trop de formulaires depuis votre réseau
    too_many_forms.happened = Vous n’êtes pas connecté, et ce site conserve déjà trop de formulaires venant de votre réseau. Votre formulaire n’a pas été envoyé.
    too_many_forms.next = Laissez cet onglet ouvert et connectez-vous dans un nouvel onglet. Rechargez ensuite cette page et confirmez que votre navigateur doit renvoyer le formulaire.

    form_gone.title = Votre formulaire n’est plus disponible
    form_gone.happened = Ce site ne conserve un formulaire que pendant dix minutes et pour un seul navigateur. Votre formulaire n’a pas été envoyé.
    form_gone.next = Remplissez de nouveau le formulaire et envoyez-le. En revenant en arrière dans votre navigateur, vous retrouverez peut-être votre texte.

    sign_out_unfinished.title = Vous n’êtes déconnecté que dans ce navigateur
    sign_out_unfinished.happened = Ce navigateur a oublié votre connexion, mais le site n’a pas pu y mettre fin.
    sign_out_unfinished.next = Toute personne qui a copié votre connexion depuis ce navigateur peut l’utiliser jusqu’à son expiration. Si cela vous inquiète, contactez les responsables du site.

    sessions_remain.title = Vous êtes toujours connecté
    sessions_remain.happened = Ce site n’a pas pu vous déconnecter dans tous les navigateurs.
    sessions_remain.next = Réessayez dans une minute. Si cela se reproduit, contactez les responsables du site en indiquant le numéro de requête.

    form_damaged.title = Impossible d’ouvrir votre formulaire
    form_damaged.happened = Ce site a conservé votre formulaire pendant la connexion, mais il est endommagé. Il n’a pas été envoyé.
    form_damaged.next = Remplissez de nouveau le formulaire et envoyez-le. En revenant en arrière dans votre navigateur, vous retrouverez peut-être votre texte.

    form_sent.title = Votre formulaire a déjà été envoyé
    form_sent.happened = Ce site n’envoie chaque formulaire qu’une fois. Le bouton Retour, une actualisation ou un double clic peuvent répéter la requête. Le formulaire n’a pas été renvoyé.
    form_sent.next = Vérifiez que le site l’a bien reçu.

    form_refused.title = Le formulaire n’a pas été accepté
    form_refused.happened = La requête d’envoi du formulaire ne venait pas d’une page de ce site. Le formulaire n’a pas été envoyé.
    form_refused.next = Ouvrez de nouveau le formulaire sur ce site et envoyez-le depuis sa page.

    form_unsent.title = Votre formulaire est toujours là
    form_unsent.happened = Vous êtes connecté, mais ce site n’a pas pu joindre la page à laquelle le formulaire est destiné. Il n’a pas été envoyé.
    form_unsent.next = Ce site ne conserve un formulaire que pendant dix minutes.

    form_unanswered.title = Votre formulaire a peut-être été envoyé
    form_unanswered.happened = Ce site a envoyé votre formulaire, mais n’a pas pu lire la réponse.
    form_unanswered.next = Vérifiez que le site l’a bien reçu avant de le renvoyer.

    form_timed_out.title = Pas encore de réponse à votre formulaire
    form_timed_out.happened = Ce site a envoyé votre formulaire, mais la réponse a trop tardé.
    form_timed_out.next = Vérifiez que le site l’a bien reçu avant de le renvoyer.

    internal_error.title = Une erreur est survenue
    internal_error.happened = Le problème vient de ce site. Vous n’y êtes pour rien.
    internal_error.next = Réessayez plus tard. Si cela se reproduit, contactez les responsables du site en indiquant le numéro de requête.
    """
