// Milliseconds: what the page does goes on in between.
const SLICE = 12;

/** The first 32 bits of the fractional parts of the cube roots of primes; `2` of square roots. */
const roots = (count, root) => {
  const found = [];
  for (let n = 2; found.length < count; n++) {
    let isPrime = true;
    for (let d = 2; d * d <= n; d++) if (n % d === 0) isPrime = false;
    if (isPrime) found.push((n ** (1 / root) * 2 ** 32) | 0);
  }
  return found;
};
const K = roots(64, 3);
const INITIAL = roots(8, 2);
const W = new Int32Array(64);
const turned = (x, n) => (x >>> n) | (x << (32 - n));

/** SHA-256 of a text of ASCII, in hexadecimal. crypto.subtle lacks on http pages, and is slower for short texts. */
const sha256 = (text) => {
  const size = text.length;
  const words = new Int32Array((((size + 8) >> 6) + 1) * 16);
  for (let i = 0; i < size; i++) words[i >> 2] |= text.charCodeAt(i) << (24 - (i % 4) * 8);
  words[size >> 2] |= 0x80 << (24 - (size % 4) * 8);
  words[words.length - 1] = size * 8;
  const hash = INITIAL.slice();
  for (let block = 0; block < words.length; block += 16) {
    let [a, b, c, d, e, f, g, h] = hash;
    for (let i = 0; i < 64; i++) {
      if (i < 16) W[i] = words[block + i];
      else {
        const [x, y] = [W[i - 15], W[i - 2]];
        W[i] =
          W[i - 16] + W[i - 7] + (turned(x, 7) ^ turned(x, 18) ^ (x >>> 3)) + (turned(y, 17) ^ turned(y, 19) ^ (y >>> 10));
      }
      const first = (h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + ((e & f) ^ (~e & g)) + K[i] + W[i]) | 0;
      const second = ((turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
    }
    [a, b, c, d, e, f, g, h].forEach((word, i) => (hash[i] = (hash[i] + word) | 0));
  }
  return hash.map((word) => (word >>> 0).toString(16).padStart(8, "0")).join("");
};

/** The answer to a challenge (ALTCHA), found in slices: no worker, which a strict policy of the page may forbid. */
const prove = async ({ algorithm, challenge, maxnumber, salt, signature }) => {
  for (let number = 0, ends = Date.now() + SLICE; number <= maxnumber; number++) {
    if (sha256(salt + number) === challenge) return btoa(JSON.stringify({ algorithm, challenge, number, salt, signature }));
    if (number % 64 || Date.now() < ends) continue;
    await new Promise((resolve) => setTimeout(resolve));
    ends = Date.now() + SLICE;
  }
};

const BLOCKED = {
  ru: "Сейчас мы не принимаем отсюда сообщения.",
  en: "Sorry, we can’t take messages from here now.",
  el: "Δεν δεχόμαστε μηνύματα από εδώ αυτή τη στιγμή.",
  de: "Nachrichten von hier nehmen wir zurzeit leider nicht an.",
  es: "Lo sentimos: ahora no aceptamos mensajes desde aquí.",
  ar: "عذرًا، لا نقبل رسائل من هنا الآن.",
  zh: "抱歉，目前不接受来自此处的消息。",
};

/** What a visitor is told of a refusal; "" of what is settled without them. */
export const why = async (refusal, { language }) => {
  const { code } = await refusal.clone().json();
  return code === "visitor_blocked" ? BLOCKED[language] : "";
};

/** What a session call that was refused is sent again with; throws the refusal where nothing helps. */
export const amend = async (refusal, identity, proof, ask) => {
  const { code, errors } = await refusal.clone().json();
  if (code === "proof_required" && !proof) return [identity, await prove(await ask())];
  if (!errors || !identity) throw refusal;
  console.warn("Parley.identify:", errors);
  const rest = { ...identity };
  for (const path of Object.keys(errors)) delete rest[path.split(".")[0]];
  // The two prove each other.
  if (!rest.user_id || !rest.identity_hmac) delete rest.user_id, delete rest.identity_hmac;
  if (Object.keys(rest).length === Object.keys(identity).length) throw refusal;
  return [rest, proof];
};

/** By language, what a refusal says: of a field, by its name; of the whole, by the problem's code. */
const REFUSALS = {
  ru: { email: "Проверьте адрес почты.", phone: "Проверьте номер телефона.", name: "Имя слишком длинное.", comment: "Текст слишком длинный.", agent_handles_chat: "С вами уже говорит человек: код не нужен.", rate_limited: "Слишком часто. Попробуйте позже.", no_chat: "Сначала напишите сообщение." },
  en: { email: "Please check the e-mail address.", phone: "Please check the phone number.", name: "The name is too long.", comment: "The text is too long.", agent_handles_chat: "A person is talking with you already: no code is needed.", rate_limited: "Too often. Please try again later.", no_chat: "Please write a message first." },
  el: { email: "Ελέγξτε τη διεύθυνση e-mail.", phone: "Ελέγξτε τον αριθμό τηλεφώνου.", name: "Το όνομα είναι πολύ μεγάλο.", comment: "Το κείμενο είναι πολύ μεγάλο.", agent_handles_chat: "Σας μιλά ήδη ένας άνθρωπος: δεν χρειάζεται κωδικός.", rate_limited: "Πολύ συχνά. Δοκιμάστε αργότερα.", no_chat: "Γράψτε πρώτα ένα μήνυμα." },
  de: { email: "Bitte prüfen Sie die E-Mail-Adresse.", phone: "Bitte prüfen Sie die Telefonnummer.", name: "Der Name ist zu lang.", comment: "Der Text ist zu lang.", agent_handles_chat: "Sie sprechen schon mit einem Menschen: Ein Code ist nicht nötig.", rate_limited: "Zu oft. Bitte versuchen Sie es später.", no_chat: "Bitte schreiben Sie zuerst eine Nachricht." },
  es: { email: "Compruebe la dirección de correo.", phone: "Compruebe el número de teléfono.", name: "El nombre es demasiado largo.", comment: "El texto es demasiado largo.", agent_handles_chat: "Ya le atiende una persona: no hace falta ningún código.", rate_limited: "Demasiadas veces. Inténtelo más tarde.", no_chat: "Escriba primero un mensaje." },
  ar: { email: "يرجى التحقق من عنوان البريد.", phone: "يرجى التحقق من رقم الهاتف.", name: "الاسم طويل جدًا.", comment: "النص طويل جدًا.", agent_handles_chat: "يتحدث معك شخص بالفعل: لا حاجة إلى رمز.", rate_limited: "محاولات كثيرة. حاول لاحقًا.", no_chat: "يرجى كتابة رسالة أولًا." },
  zh: { email: "请检查邮箱地址。", phone: "请检查电话号码。", name: "名字太长。", comment: "文字太长。", agent_handles_chat: "已有人工在为您服务，无需验证码。", rate_limited: "操作太频繁，请稍后再试。", no_chat: "请先写一条消息。" },
};


/** What a form says of a refusal; undefined of one that no visitor can mend. */
export const words = ({ code, errors }, { language }) => REFUSALS[language][Object.keys(errors ?? {})[0] ?? code];
