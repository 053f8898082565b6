/// The texts of the pages in Spanish: one `key = text` in each line.
let spanishTexts = """
    # See en.txt for the rules of this file.

    direction = ltr
    language = Español
    date = {day} de {month} de {year}
    months = enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre

    # The home page

    home = Inicio
    welcomeTitle = Inicia sesión en {site}
    welcomeLead = El inicio de sesión se hace en {provider}. Este sitio nunca ve tu contraseña.
    signIn = Iniciar sesión con {provider}
    choiceLead = Elige dónde iniciar sesión. Este sitio nunca ve tu contraseña.
    choiceLast = La última vez iniciaste sesión aquí.
    choiceForm = Tu formulario está guardado: inicia sesión en los próximos diez minutos y este sitio lo enviará.
    signedInTitle = Has iniciado sesión
    continueToSite = Ir a {site}
    signOut = Cerrar sesión
    signOutEverywhere = Cerrar sesión en todas partes
    signedIn.sessions = Has iniciado sesión en {count} navegadores.
    showProfileLink = Ver el enlace de mi perfil
    openProfile = Abrir mi perfil de {provider}
    showDetails = Ver mis datos de {provider}

    # The profile page

    profileTitle = Tu perfil de {provider}
    profileLink = Enlace del perfil
    copyLink = Copiar enlace
    linkCopied = Copiado
    noLinkTitle = No hay enlace del perfil
    noLinkSent = {provider} no ha enviado el enlace del perfil de tu cuenta. Puedes copiarlo por tu cuenta: abre tu perfil en {provider} y copia el enlace de la barra de direcciones.
    locale = Idioma
    profileLocale = Idioma en {provider}

    received.now = Recibido de {provider} hace un momento.
    received.minutes = Recibido de {provider} hace {count} minutos.
    received.minutes[1] = Recibido de {provider} hace {count} minuto.
    received.hours = Recibido de {provider} hace {count} horas.
    received.hours[1] = Recibido de {provider} hace {count} hora.
    received.days = Recibido de {provider} hace {count} días.
    received.days[1] = Recibido de {provider} hace {count} día.

    # The page after signing out

    signedOutTitle = Has cerrado sesión en {site}
    signedOutEverywhere = Has cerrado sesión en todos los navegadores
    signedOutAdvice = Es posible que sigas con la sesión iniciada en {provider}. Ciérrala también allí si quieres usar otra cuenta o si otras personas usan este navegador.
    signedOutReturn = Cuando vuelvas a iniciar sesión, irás a esta página:
    signOutAtProvider = Cerrar sesión en {provider}
    signInAgain = Volver a iniciar sesión

    # The pages that delete what is stored about a member

    forget = Eliminar mis datos
    forgetTitle = ¿Eliminar tus datos?
    forgetLead = Se cerrará tu sesión en todos los navegadores. El servicio de inicio de sesión de este sitio eliminará tu nombre, tu correo electrónico, tu perfil y los tokens de {provider}.
    forgetTokens = También eliminará tus tokens personales.
    forgetFinal = Esta acción no se puede deshacer.
    forgetRest = Los registros y las copias de seguridad se conservan un tiempo y pueden contener tu identificador de {provider} y tu dirección IP. Otras partes de este sitio pueden guardar más datos sobre ti. {provider} mantendrá este sitio entre los servicios permitidos hasta que lo quites allí.
    forgetMore = Lo que queda en otros lugares
    forgetCancel = Conservar mis datos
    forgottenTitle = Tus datos se han eliminado
    deleted.sessions = Has salido en {count} navegadores. Tu nombre, tu correo electrónico, tu perfil y los tokens de {provider} se han eliminado.
    deleted.sessions[1] = Has salido. Tu nombre, tu correo electrónico, tu perfil y los tokens de {provider} se han eliminado.
    forgottenTokens = Tus tokens personales también se han eliminado.

    # Personal tokens for scripts

    tokens = Tokens personales
    tokensLead = Con un token personal, un script puede acceder en tu nombre a las rutas de este sitio que elijas. Quien tenga el token puede hacer en ellas lo mismo que tú.
    tokensNone = No tienes tokens personales.
    tokenMade = Tu nuevo token
    tokenMadeLead = Cópialo ahora. No se volverá a mostrar.
    copyToken = Copiar el token
    tokenName = Nombre
    tokenLocations = Rutas
    tokenLocationsHint = Separa las rutas con espacios, por ejemplo /informes/ /archivos/. Una sola / equivale a todas las páginas que puedes abrir.
    tokenDays = Días hasta que caduque
    tokenCreated = Creado
    tokenEnds = Caduca
    tokenUsed = Último uso
    tokenUnused = Sin usar
    tokenRevoke = Revocar
    tokenRevokeSure = Los scripts que usan este token dejarán de funcionar de inmediato.
    tokenNew = Nuevo token
    tokenMake = Crear un token
    tokenRecent = Para crear un token, vuelve a iniciar sesión. Has iniciado sesión hace más de una hora.
    tokenNameWrong = No se ha creado el token: escribe un nombre de 100 caracteres como máximo.
    tokenLocationsWrong = No se ha creado el token: escribe de 1 a 20 rutas separadas por espacios.
    tokenPathWrong = No se ha creado el token, porque «{path}» no es una ruta válida. Una ruta empieza por /, tiene 200 caracteres como máximo y solo contiene letras sin acento, cifras, - . _ ~ y barras sencillas, pero no /./ ni /../.
    tokenDaysWrong = No se ha creado el token: escribe un número de días entre 1 y {count}.
    tokenFormOld = No se ha creado ningún token, porque esta página ha estado abierta demasiado tiempo. Vuelve a enviar el formulario.
    tokensFull = No se ha creado el token porque tienes demasiados. Revoca uno que no necesites.
    tokenStoreFull = No se ha creado el token porque este sitio no puede guardar más. Contacta con el responsable del sitio.

    # The page that sends a form which was kept during the sign-in

    resumeTitle = Tu formulario está listo para enviarse
    resumeLead = Ya has iniciado sesión. Este sitio ha guardado tu formulario y lo enviará una sola vez.
    resumeTarget = Enviar a
    resumeSend = Enviar mi formulario
    resumeDiscard = Descartar el formulario
    resumeDiscardSure = Este sitio eliminará tu formulario sin enviarlo.

    # Pages about problems

    tryAgain = Intentar de nuevo
    signInNewTab = Iniciar sesión en otra pestaña
    useAnotherAccount = Usar otra cuenta
    account = Cuenta
    contact = Para pedir acceso:
    requestID = Número de solicitud

    wait.seconds = Inténtalo de nuevo dentro de unos {count} segundos.
    wait.seconds[1] = Inténtalo de nuevo dentro de {count} segundo aproximadamente.
    wait.minutes = Inténtalo de nuevo dentro de unos {count} minutos.
    wait.minutes[1] = Inténtalo de nuevo dentro de {count} minuto aproximadamente.
    wait.hours = Inténtalo de nuevo dentro de unas {count} horas.
    wait.hours[1] = Inténtalo de nuevo dentro de {count} hora aproximadamente.
    wait.days = Inténtalo de nuevo dentro de unos {count} días.
    wait.days[1] = Inténtalo de nuevo dentro de {count} día aproximadamente.

    not_found.title = Página no encontrada
    not_found.happened = No hay ninguna página en esta dirección.
    not_found.next = Comprueba la dirección o empieza desde la página de inicio.

    method_not_allowed.title = Esta acción no es posible aquí
    method_not_allowed.happened = Tu navegador ha enviado un tipo de solicitud que esta dirección no acepta.

    bad_request.title = No hemos podido leer la solicitud
    bad_request.happened = Este sitio no entiende lo que ha enviado tu navegador.

    too_large.title = Demasiados datos
    too_large.happened = Tu navegador ha enviado más de lo que acepta esta página. La causa puede ser un exceso de cookies.
    too_large.next = Si vuelve a ocurrir, elimina las cookies de este sitio.

    address_too_long.title = Esta dirección es demasiado larga
    address_too_long.happened = Debes iniciar sesión para ver esta página, y este sitio no puede llevarte de vuelta a una dirección tan larga.
    address_too_long.next = Primero, inicia sesión. Empezarás en la página de inicio y podrás abrir la dirección de nuevo.

    sign_in_needed.title = Inicia sesión
    sign_in_needed.happened = Debes iniciar sesión para ver esta página. Si ya la habías iniciado, ha caducado.

    account_not_allowed.title = Esta cuenta no tiene acceso
    account_not_allowed.happened = Has iniciado sesión con {provider}, pero esta cuenta no tiene permiso para ver esta página.
    account_not_allowed.next = Si usas otra cuenta, este sitio cierra primero tu sesión. Para cambiar de cuenta en {provider}, puede que también tengas que cerrar la sesión allí.

    email_not_verified.title = Tu correo electrónico no está confirmado
    email_not_verified.happened = Esta página es solo para personas cuyo correo electrónico ha confirmado {provider}. El tuyo no está confirmado allí.
    email_not_verified.next = Confirma tu correo electrónico en {provider}. Después, vuelve a iniciar sesión.

    email_missing.title = {provider} no ha enviado una dirección de correo electrónico
    email_missing.happened = Esta página es solo para personas cuyo correo electrónico ha confirmado {provider}. {provider} no ha enviado ningún correo electrónico de tu cuenta.
    email_missing.next = Añade un correo electrónico a tu cuenta de {provider} y confírmalo allí. Después, vuelve a iniciar sesión.

    forbidden.title = Esta página no está disponible
    forbidden.happened = El sitio no muestra esta página a ninguna cuenta.
    forbidden.next = Si necesitas esta página, avisa a los responsables del sitio e indica el número de solicitud.

    session_cookie_lost.title = Tu navegador no mantiene la sesión abierta
    session_cookie_lost.happened = Has iniciado sesión tres veces, pero tu navegador no lo recuerda.
    session_cookie_lost.next = Abre este sitio en una pestaña aparte, con una dirección que empiece por https. Permite sus cookies, desactiva las extensiones que eliminan cookies y comprueba que la hora del equipo sea correcta. Después, inténtalo de nuevo.

    session_unknown.title = Este sitio no reconoce tu inicio de sesión
    session_unknown.happened = Has iniciado sesión tres veces. Tu navegador lo recuerda, pero este sitio no lo reconoce.
    session_unknown.next = Elimina las cookies de este sitio e inténtalo de nuevo. Si vuelve a ocurrir, avisa a los responsables del sitio e indica el número de solicitud.

    session_too_old.title = Los relojes de este sitio no coinciden
    session_too_old.happened = Has iniciado sesión tres veces, pero para esta página tu inicio de sesión sigue siendo demasiado antiguo. Uno de los relojes del sitio no tiene la hora correcta.
    session_too_old.next = Avisa a los responsables del sitio e indica el número de solicitud.

    sign_in_cancelled.title = Inicio de sesión cancelado
    sign_in_cancelled.happened = No has terminado de iniciar sesión en {provider}. {provider} no ha compartido nada con este sitio.

    scope_refused.title = {provider} ha rechazado la solicitud
    scope_refused.happened = Este sitio ha pedido a {provider} más de lo que {provider} le permite. No has hecho nada mal.
    scope_refused.next = Avisa a los responsables del sitio e indica el número de solicitud.

    state_missing.title = No hemos podido completar el inicio de sesión
    state_missing.happened = Tu navegador no recuerda haber empezado este inicio de sesión. Puede que las cookies estén bloqueadas, que esta página se haya recargado o que hayas empezado en otro navegador, en otra aplicación o en otra dirección de este sitio.
    state_missing.next = Inténtalo de nuevo en este navegador, en {address}. Si vuelves a ver esta página, permite las cookies de este sitio.

    unencrypted_cookie_lost.title = Tu navegador no ha recordado este inicio de sesión
    unencrypted_cookie_lost.happened = La dirección de este sitio empieza por http://. Safari y otros navegadores WebKit no guardan cookies seguras para una dirección así, ni siquiera en este equipo.
    unencrypted_cookie_lost.next = Si has recargado esta página o has empezado en otro navegador, vuelve a intentarlo. Si no, usa Chrome o Firefox, o abre este sitio en una dirección https://. Si ya usas uno de estos navegadores, permite las cookies de este sitio.

    state_expired.title = Se ha agotado el tiempo
    state_expired.happened = Por tu seguridad, tienes diez minutos para terminar de iniciar sesión.

    state_used.title = Este inicio de sesión ya se ha usado
    state_used.happened = Cada inicio de sesión sirve una sola vez. El botón Atrás, una recarga o un doble clic pueden repetirlo.
    state_used.next = Puede que ya hayas iniciado sesión. Compruébalo en la página de inicio o vuelve a iniciar sesión.

    callback_malformed.title = La dirección no es válida
    callback_malformed.happened = La dirección con la que {provider} te ha traído de vuelta está incompleta o es incorrecta.

    provider_refused_us.title = {provider} no reconoce este sitio
    provider_refused_us.happened = {provider} ha rechazado las credenciales del propio sitio. Tu cuenta no tiene ningún problema.
    provider_refused_us.next = Avisa a los responsables del sitio e indica el número de solicitud.

    clock_wrong.title = El reloj de este sitio no tiene la hora correcta
    clock_wrong.happened = {provider} ha confirmado tu inicio de sesión a una hora que para este sitio aún no ha llegado, así que el sitio no puede aceptarlo.
    clock_wrong.next = Avisa a los responsables del sitio e indica el número de solicitud.

    code_refused.title = {provider} no ha confirmado tu inicio de sesión
    code_refused.happened = {provider} ha rechazado el código de un solo uso de este inicio de sesión. Puede que haya caducado.
    code_refused.next = Inténtalo de nuevo para obtener otro código.

    provider_unavailable.title = No se puede conectar con {provider}
    provider_unavailable.happened = Este sitio no ha recibido una respuesta válida de {provider}.

    provider_timed_out.title = {provider} ha tardado demasiado
    provider_timed_out.happened = {provider} no ha respondido a tiempo a este sitio.

    provider_busy.title = Hay demasiadas personas iniciando sesión en este momento
    provider_busy.happened = Este sitio está esperando muchas respuestas de {provider}.

    too_many_requests.title = Demasiadas solicitudes desde tu red
    too_many_requests.happened = Muchas personas de tu red están iniciando sesión aquí en este momento, y cada red tiene un límite. No se ha perdido nada.

    provider_throttled.title = Demasiadas solicitudes a {provider}
    provider_throttled.happened = Por ahora, {provider} no acepta más solicitudes de este sitio.

    identity_rejected.title = No hemos podido verificar tu identidad
    identity_rejected.happened = Los datos que {provider} ha enviado sobre ti no han superado las comprobaciones de este sitio. No has iniciado sesión.
    identity_rejected.next = Inténtalo de nuevo. Si vuelve a ocurrir, avisa a los responsables del sitio e indica el número de solicitud.

    profile_unavailable.title = Tu perfil no está disponible en este momento
    profile_unavailable.happened = {provider} no ha enviado tu perfil. Tu sesión sigue abierta.

    profile_denied.title = {provider} no comparte tu perfil
    profile_denied.happened = {provider} no permite que este sitio lea perfiles. Tu sesión sigue abierta.
    profile_denied.next = Avisa a los responsables del sitio e indica el número de solicitud.

    profile_gone.title = {provider} ha cerrado este servicio
    profile_gone.happened = {provider} ya no ofrece los perfiles de esta forma, así que no servirá de nada volver a intentarlo. Tu sesión sigue abierta.
    profile_gone.next = Avisa a los responsables del sitio e indica el número de solicitud.

    version_retired.title = {provider} ha cambiado este servicio
    version_retired.happened = Este sitio usa una versión de este servicio que {provider} ya no ofrece. Tu sesión sigue abierta.
    version_retired.next = Avisa a los responsables del sitio e indica el número de solicitud.

    access_pending.title = {provider} necesita un poco más de tiempo
    access_pending.happened = Has autorizado el inicio de sesión, pero {provider} no ha reconocido en diez segundos el permiso que acaba de conceder.
    access_pending.next = Espera diez segundos e inténtalo de nuevo. No tendrás que volver a iniciar sesión en {provider}.

    access_ended.title = Vuelve a iniciar sesión
    access_ended.happened = El permiso que diste a este sitio en {provider} ha caducado o se ha revocado.

    store_unavailable.title = El inicio de sesión no está disponible temporalmente
    store_unavailable.happened = En este momento, este sitio no puede saber quién ha iniciado sesión. No has hecho nada mal.

    cross_site.title = No se ha cerrado tu sesión
    cross_site.happened = La solicitud de cerrar sesión procedía de otro sitio web, así que se ha ignorado.

    deletion_refused.title = No se ha eliminado nada
    deletion_refused.happened = La solicitud de eliminar tus datos procedía de otro sitio web, así que se ha ignorado.
    deletion_refused.next = Para eliminar tus datos, usa el botón de la página siguiente.

    account_changed.title = No se ha cambiado nada
    account_changed.happened = Este navegador ha iniciado sesión con otra cuenta desde que se cargó la última página, así que se ha ignorado el formulario.
    account_changed.next = La página de inicio indica qué cuenta ha iniciado sesión. Repite desde allí lo que querías hacer.

    change_needs_sign_in.title = No se ha cambiado ni eliminado nada
    change_needs_sign_in.happened = No has iniciado sesión en este navegador, así que se ha ignorado el formulario. Si ya la habías iniciado, tu sesión ha terminado.
    change_needs_sign_in.next = Primero, inicia sesión. Después, repite lo que querías hacer.

    deletion_unfinished.title = No hemos podido eliminarlo todo
    deletion_unfinished.happened = Este sitio no ha podido leer o cambiar todo lo que guarda. Puede que algunos de tus datos sigan aquí.
    deletion_unfinished.next = Inténtalo de nuevo dentro de un minuto. Si vuelve a ocurrir, avisa a los responsables del sitio e indica el número de solicitud.

    form_not_kept.title = Tu formulario no se ha enviado
    form_not_kept.happened = No has iniciado sesión, y este sitio no ha podido guardar tu formulario durante el inicio de sesión.
    form_not_kept.next = Deja abierta esta pestaña e inicia sesión en otra. Después, recarga esta página y confirma que el navegador vuelva a enviar el formulario.

    too_many_forms.title = Demasiados formularios desde tu red
    too_many_forms.happened = No has iniciado sesión y este sitio ya guarda demasiados formularios de tu red. Tu formulario no se ha enviado.
    too_many_forms.next = Deja abierta esta pestaña e inicia sesión en otra. Después, recarga esta página y confirma que el navegador vuelva a enviar el formulario.

    form_gone.title = Tu formulario ya no está guardado
    form_gone.happened = Este sitio guarda cada formulario solo durante diez minutos y para un único navegador. El tuyo no se ha enviado.
    form_gone.next = Vuelve a rellenar el formulario y envíalo. Si vuelves atrás en el navegador, quizá recuperes tu texto.

    sign_out_unfinished.title = Solo has cerrado sesión en este navegador
    sign_out_unfinished.happened = Este navegador ya no recuerda tu inicio de sesión, pero el sitio no ha podido terminarlo.
    sign_out_unfinished.next = Quien haya copiado tu inicio de sesión de este navegador puede usarlo hasta que caduque. Si esto te preocupa, avisa a los responsables del sitio.

    sessions_remain.title = Tu sesión sigue abierta
    sessions_remain.happened = Este sitio no ha podido cerrar tu sesión en todos los navegadores.
    sessions_remain.next = Inténtalo de nuevo dentro de un minuto. Si vuelve a ocurrir, avisa a los responsables del sitio e indica el número de solicitud.

    form_damaged.title = No se ha podido abrir tu formulario
    form_damaged.happened = Este sitio guardó tu formulario mientras iniciabas sesión, pero está dañado. No se ha enviado.
    form_damaged.next = Vuelve a rellenar el formulario y envíalo. Si vuelves atrás en el navegador, quizá recuperes tu texto.

    form_sent.title = Tu formulario ya se ha enviado
    form_sent.happened = Este sitio envía cada formulario una sola vez. El botón Atrás, una recarga o un doble clic pueden repetir la solicitud. El formulario no se ha vuelto a enviar.
    form_sent.next = Comprueba si el sitio lo ha recibido.

    form_refused.title = No se ha aceptado el formulario
    form_refused.happened = La solicitud de envío del formulario no procedía de una página de este sitio. El formulario no se ha enviado.
    form_refused.next = Abre de nuevo el formulario en este sitio y envíalo desde allí.

    form_unsent.title = Tu formulario sigue guardado
    form_unsent.happened = Has iniciado sesión, pero este sitio no ha podido conectar con la página de destino del formulario. El formulario no se ha enviado.
    form_unsent.next = Este sitio solo guarda los formularios durante diez minutos.

    form_unanswered.title = Puede que tu formulario se haya enviado
    form_unanswered.happened = Este sitio ha enviado tu formulario, pero no ha podido leer la respuesta.
    form_unanswered.next = Comprueba si el sitio lo ha recibido antes de enviarlo de nuevo.

    form_timed_out.title = Tu formulario aún no tiene respuesta
    form_timed_out.happened = Este sitio ha enviado tu formulario, pero la respuesta ha tardado demasiado.
    form_timed_out.next = Comprueba si el sitio lo ha recibido antes de enviarlo de nuevo.

    internal_error.title = Algo ha salido mal
    internal_error.happened = Es un error de este sitio. No has hecho nada mal.
    internal_error.next = Inténtalo más tarde. Si vuelve a ocurrir, avisa a los responsables del sitio e indica el número de solicitud.
    """
