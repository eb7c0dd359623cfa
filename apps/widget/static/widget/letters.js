const rules = `
.reach { display: flex; flex-wrap: wrap; gap: 4px 8px; align-items: center; margin-top: 12px; color: var(--muted); font-size: 13px; overflow-wrap: anywhere; }
.reach button { padding: 2px 4px; text-decoration: underline; }
.reach form { display: flex; flex-wrap: wrap; gap: 8px; flex: 1 1 100%; }
.reach input { flex: 1 1 140px; min-width: 0; }
.reach [role=status]:empty { display: none; }
`;
// Milliseconds without an answer, after which an address is asked for while somebody is there.
const PATIENCE = 60_000;
const ADDRESS = /^[^\s@]{1,64}@[^\s@]{1,190}\.[^\s@.]{2,}$/;
/** By language: what is said of the address, `#`; to change it; to leave one; to take the one that was written. */
const TEXTS = {
  ru: ["Если вы уйдёте, мы напишем на #", "Адреса # нет", "Изменить", "Оставить почту для ответа", "Написать на #?", "Да", "Не писать"],
  en: ["If you leave, we write to #", "# does not exist", "Change", "Leave an e-mail for the answer", "Write to #?", "Yes", "Write no letters"],
  el: ["Αν φύγετε, θα γράψουμε στο #", "Η διεύθυνση # δεν υπάρχει", "Αλλαγή", "Αφήστε e-mail για την απάντηση", "Να γράψουμε στο #;", "Ναι", "Χωρίς e-mail"],
  de: ["Wenn Sie gehen, schreiben wir an #", "# gibt es nicht", "Ändern", "E-Mail für die Antwort hinterlassen", "An # schreiben?", "Ja", "Keine E-Mails"],
  es: ["Si se va, le escribimos a #", "# no existe", "Cambiar", "Dejar un correo para la respuesta", "¿Escribir a #?", "Sí", "Sin correos"],
  ar: ["إذا غادرت، سنكتب إلى #", "العنوان # غير موجود", "تغيير", "اترك بريدًا للرد", "هل نكتب إلى #؟", "نعم", "بلا رسائل"],
  zh: ["如果您离开，我们会写信到 #", "# 不存在", "更改", "留下邮箱以便回复", "写信到 # 吗？", "是", "不要邮件"],
};

/** What is known of the visitor's address, in one line at the thread's end; `draw` shows another. @param {any} chat @param {() => void} draw */
export const tell = (chat, draw) => {
  const { connection, h, load, settings, t, thread, visit } = chat;
  const [will, dead, change, leave, ask, yes, none] = TEXTS[settings.language];
  const { address, state } = chat.letters;
  const items = thread.items();
  const mine = items.findLast(({ id, sender }) => id && sender.kind === "client");
  const wait = mine && settings.online && items.at(-1) === mine ? +new Date(mine.created_at) + PATIENCE - Date.now() : 0;
  const said = mine?.body.trim();
  const written = state === "none" && said !== visit.get("declined") && ADDRESS.test(said) && said;
  const offers = written || !settings.online || (wait <= 0 && items.at(-1) === mine);
  const shown = mine && state !== "stopped" && (state !== "none" || offers);
  const version = shown ? JSON.stringify([settings.language, address, state, written]) : "";
  if (chat.told === version || (chat.line?.querySelector("form") && shown)) return;
  chat.told = version;
  chat.style(rules);
  const button = (text, onclick) => h("button", { type: "button", onclick }, text);
  const sentence = (text, named) => {
    const [before, after] = text.split("#");
    return h("span", null, before, h("bdi", null, named), after);
  };
  const give = async (email) => {
    ({ letters: chat.letters } = await connection.post("address", { email }, "PUT"));
    visit.set("address", null);
    chat.line = chat.told = null;
    tell(chat, draw);
    draw();
  };
  const edit = () => {
    const input = h("input", { type: "email", required: "", autocomplete: "email", placeholder: t.email, "aria-label": t.email });
    const status = h("span", { role: "status" });
    const form = h("form", null, input, h("button", { class: "key" }, t.done), address && button(none, () => give(null)), status);
    input.value = visit.get("address") ?? address ?? "";
    input.oninput = () => visit.set("address", input.value);
    form.onsubmit = (event) => {
      event.preventDefault();
      give(input.value).catch(async (refused) => {
        const error = (await refused.json?.().catch(() => {})) ?? refused;
        status.textContent = (await load("./refusal.js")).words(error, settings) || t.failed;
        input.focus();
      });
    };
    chat.line.replaceChildren(form);
    input.focus();
  };
  const no = () => {
    visit.set("declined", said);
    tell(chat, draw);
    draw();
  };
  const may = !visit.get("letter");
  const parts =
    state === "none"
      ? written
        ? [sentence(ask, written), button(yes, () => give(written).catch(edit)), button(t.dismiss, no)]
        : [button(leave, edit)]
      : [sentence(state === "dead" ? dead : will, address), may && button(change, edit)];
  chat.line = shown && (may || state !== "none") ? h("div", { class: "reach" }, ...parts) : null;
  draw();
  if (chat.line && visit.get("address")) edit();
};
