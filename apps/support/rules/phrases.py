"""The chat's own phrases about codes, in the seven languages of visitors."""

PHRASES: dict[str, dict[str, str]] = {
    "ask": {
        "ru": "Подтвердить почту",
        "en": "Confirm your e-mail",
        "el": "Επιβεβαίωση e-mail",
        "de": "E-Mail bestätigen",
        "es": "Confirmar el correo",
        "ar": "تأكيد البريد الإلكتروني",
        "zh": "确认邮箱",
    },
    "code": {
        "ru": "Код из письма",
        "en": "Code from the e-mail",
        "el": "Κωδικός από το e-mail",
        "de": "Code aus der E-Mail",
        "es": "Código del correo",
        "ar": "الرمز من الرسالة",
        "zh": "邮件中的验证码",
    },
    "asked": {
        "ru": "Напишите сюда адрес своей электронной почты — мы пришлём на него код из шести цифр.",
        "en": "Please write your e-mail address here: we will send a six-digit code to it.",
        "el": "Γράψτε εδώ τη διεύθυνση e-mail σας: θα στείλουμε σε αυτήν έναν εξαψήφιο κωδικό.",
        "de": "Bitte schreiben Sie hier Ihre E-Mail-Adresse: Wir senden einen sechsstelligen Code dorthin.",
        "es": "Escriba aquí su dirección de correo: le enviaremos un código de seis cifras.",
        "ar": "اكتب هنا عنوان بريدك الإلكتروني، وسنرسل إليه رمزًا من ستة أرقام.",
        "zh": "请在此写下您的电子邮箱，我们会向其发送六位数验证码。",
    },
    "sent": {
        "ru": "Мы отправили код. Напишите его сюда в течение 10 минут.",
        "en": "We have sent the code. Write it here within 10 minutes.",
        "el": "Στείλαμε τον κωδικό. Γράψτε τον εδώ μέσα σε 10 λεπτά.",
        "de": "Wir haben den Code gesendet. Schreiben Sie ihn innerhalb von 10 Minuten hierher.",
        "es": "Hemos enviado el código. Escríbalo aquí en un plazo de 10 minutos.",
        "ar": "أرسلنا الرمز. اكتبه هنا خلال 10 دقائق.",
        "zh": "验证码已发送。请在 10 分钟内将其写在这里。",
    },
    "not_sent": {
        "ru": "Код не удалось отправить. Попробуйте позже или укажите другой адрес.",
        "en": "The code could not be sent. Try again later, or give another address.",
        "el": "Ο κωδικός δεν στάλθηκε. Δοκιμάστε αργότερα ή δώστε άλλη διεύθυνση.",
        "de": "Der Code konnte nicht gesendet werden. Versuchen Sie es später oder mit einer anderen Adresse.",
        "es": "No se pudo enviar el código. Inténtelo más tarde o indique otra dirección.",
        "ar": "تعذّر إرسال الرمز. حاول لاحقًا أو اكتب عنوانًا آخر.",
        "zh": "验证码未能发送。请稍后再试，或提供其他邮箱。",
    },
    "verified": {
        "ru": "Спасибо, адрес подтверждён.",
        "en": "Thank you, your address is confirmed.",
        "el": "Ευχαριστούμε, η διεύθυνσή σας επιβεβαιώθηκε.",
        "de": "Danke, Ihre Adresse ist bestätigt.",
        "es": "Gracias, su dirección está confirmada.",
        "ar": "شكرًا، تم تأكيد عنوانك.",
        "zh": "谢谢，您的邮箱已确认。",
    },
    "wrong": {
        "ru": "Код не подошёл. Проверьте его и напишите ещё раз.",
        "en": "That is not the code. Check it and write it again.",
        "el": "Ο κωδικός δεν είναι σωστός. Ελέγξτε τον και γράψτε τον ξανά.",
        "de": "Der Code stimmt nicht. Prüfen Sie ihn und schreiben Sie ihn noch einmal.",
        "es": "El código no es correcto. Compruébelo y escríbalo de nuevo.",
        "ar": "الرمز غير صحيح. تحقّق منه واكتبه مرة أخرى.",
        "zh": "验证码不正确。请核对后重新填写。",
    },
    "expired": {
        "ru": "Срок действия кода истёк. Запросите новый.",
        "en": "The code is no longer valid. Ask for a new one.",
        "el": "Ο κωδικός δεν ισχύει πια. Ζητήστε νέο.",
        "de": "Der Code gilt nicht mehr. Fordern Sie einen neuen an.",
        "es": "El código ya no es válido. Pida uno nuevo.",
        "ar": "انتهت صلاحية الرمز. اطلب رمزًا جديدًا.",
        "zh": "验证码已失效。请重新获取。",
    },
    "attempts_exhausted": {
        "ru": "Слишком много неверных попыток. Запросите новый код.",
        "en": "Too many wrong tries. Ask for a new code.",
        "el": "Πάρα πολλές λάθος προσπάθειες. Ζητήστε νέο κωδικό.",
        "de": "Zu viele falsche Versuche. Fordern Sie einen neuen Code an.",
        "es": "Demasiados intentos fallidos. Pida un código nuevo.",
        "ar": "محاولات خاطئة كثيرة. اطلب رمزًا جديدًا.",
        "zh": "错误次数过多。请重新获取验证码。",
    },
    "rate_limited": {
        "ru": "Слишком много попыток. Попробуйте через час.",
        "en": "Too many tries. Try again in an hour.",
        "el": "Πάρα πολλές προσπάθειες. Δοκιμάστε σε μία ώρα.",
        "de": "Zu viele Versuche. Versuchen Sie es in einer Stunde wieder.",
        "es": "Demasiados intentos. Inténtelo dentro de una hora.",
        "ar": "محاولات كثيرة. حاول بعد ساعة.",
        "zh": "尝试次数过多。请一小时后再试。",
    },
    "consumed": {
        "ru": "Этот код уже использован.",
        "en": "This code has been used already.",
        "el": "Αυτός ο κωδικός έχει ήδη χρησιμοποιηθεί.",
        "de": "Dieser Code wurde schon benutzt.",
        "es": "Este código ya se ha usado.",
        "ar": "استُخدم هذا الرمز من قبل.",
        "zh": "此验证码已被使用。",
    },
}


def phrase(key: str, language: str) -> str:
    """A phrase; in English for any other language than the seven."""
    said = PHRASES[key]
    return said.get(language) or said["en"]
