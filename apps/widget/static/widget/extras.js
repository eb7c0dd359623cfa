const rules = `
.preview {
  position: absolute; bottom: calc(var(--offset_y) + var(--lift, 0px) + var(--size) + 12px); right: var(--offset_x); width: max-content; max-width: min(280px, 100vw - 2 * var(--offset_x) - 8px);
  display: flex; align-items: start; background: var(--surface); color: var(--text); border: 1px solid var(--line); border-radius: 14px; box-shadow: 0 6px 24px #0003;
}
.left .preview { right: auto; left: var(--offset_x); }
.preview button { padding: 10px 12px; text-align: start; overflow-wrap: anywhere; unicode-bidi: plaintext; }
.preview b { display: block; font-weight: 600; }
`;
const PREVIEWED = 120;
// Milliseconds: a tab that has the chat in sight marks it as read within them.
const SETTLES = 300;
/** By language: a picture, a sticker, a place. */
const KINDS = {
  ru: ["Изображение", "Стикер", "Место на карте"],
  en: ["Picture", "Sticker", "A place on the map"],
  el: ["Εικόνα", "Αυτοκόλλητο", "Σημείο στον χάρτη"],
  de: ["Bild", "Sticker", "Ort auf der Karte"],
  es: ["Imagen", "Sticker", "Un lugar en el mapa"],
  ar: ["صورة", "ملصق", "مكان على الخريطة"],
  zh: ["图片", "贴纸", "地图位置"],
};
const CROSS = "M6.4 5L12 10.6 17.6 5 19 6.4 13.4 12 19 17.6 17.6 19 12 13.4 6.4 19 5 17.6 10.6 12 5 6.4z";

const tone = () => {
  const sound = new AudioContext();
  const [source, volume] = [sound.createOscillator(), sound.createGain()];
  source.frequency.value = 880;
  volume.gain.setValueAtTime(0.08, sound.currentTime);
  volume.gain.exponentialRampToValueAtTime(0.001, sound.currentTime + 0.4);
  source.connect(volume).connect(sound.destination);
  source.start();
  source.stop(sound.currentTime + 0.4);
  source.onended = () => sound.close();
};

/** By language: said of a message that its operator has changed, and of one that is deleted. */
const CHANGED = {
  ru: ["изменено", "Сообщение удалено"],
  en: ["edited", "Message deleted"],
  el: ["τροποποιήθηκε", "Το μήνυμα διαγράφηκε"],
  de: ["bearbeitet", "Nachricht gelöscht"],
  es: ["editado", "Mensaje eliminado"],
  ar: ["معدّلة", "حُذفت الرسالة"],
  zh: ["已编辑", "消息已删除"],
};
// Milliseconds: what is deleted so soon, or unseen, leaves no trace.
const UNNOTICED = 10_000;

/** Shows a message as its operator has changed it: its new text, or that it is gone. */
export const amend = (chat, message, draw) => {
  const { settings, thread } = chat;
  const [edited, deleted] = CHANGED[settings.language];
  const { created_at, deleted_at, edited_at, seen_at } = message;
  if (!deleted_at && !edited_at) return; // a picture without words
  const isNoticed = seen_at && Date.parse(deleted_at) - Date.parse(created_at) > UNNOTICED;
  const gone = { sender: { kind: "system" }, body: isNoticed ? deleted : "", seen_at: seen_at ?? deleted_at };
  thread.add({ ...message, ...(deleted_at ? gone : { edited }) }, true);
  chat.preview?.remove();
  draw();
};

/** Where a visitor chooses the language. */
export const languages = ({ h, settings, t, setLanguage }) =>
  h(
    "label",
    null,
    settings.language.toUpperCase(),
    h(
      "select",
      { "aria-label": t.language, onchange: ({ target }) => setLanguage(target.value) },
      ...settings.languages.map(({ code, name }) =>
        h("option", { value: code, selected: code === settings.language ? "" : null }, name),
      ),
    ),
  );

/** The beginning of a text, whole words of it. */
const beginning = (text) => {
  const signs = [...text];
  if (signs.length <= PREVIEWED) return text;
  const cut = signs.slice(0, PREVIEWED).join("");
  return `${/\s/.test(cut) ? cut.slice(0, cut.search(/\s\S*$/)) : cut}…`;
};

/** An answer that nobody looks at: a tone, in one of the tabs, and its beginning beside the launcher. */
export const announce = (chat, message, isLive) => {
  const { h, icon, launcher, open, settings, storage, style, t, thread } = chat;
  const ring = () => {
    if (!thread.unread() || storage.get("rung") >= message.id) return;
    storage.set("rung", message.id);
    tone();
  };
  if (isLive && settings.widget_sound) setTimeout(ring, SETTLES * (1 + Math.random()));
  if (!settings.widget_show_preview || chat.isOpen() || !thread.unread()) return;
  style(rules);
  const { type, body, file, name, sender } = message;
  const [picture, sticker, place] = KINDS[settings.language];
  const kind = { image: picture, file: file?.name ?? name, sticker, location: place }[type];
  const text = [kind, beginning(body ?? "")].filter(Boolean).join(" · ");
  chat.preview?.remove();
  chat.preview = h(
    "div",
    { class: "preview", role: "status" },
    h("button", { onclick: () => open() }, sender?.name && h("b", null, sender.name), text),
    h("button", { "aria-label": t.dismiss, onclick: () => chat.preview.remove() }, icon(CROSS)),
  );
  launcher.after(chat.preview);
};

/** Moves the launcher above those that stand in its corner: a chat of another vendor, an installation that came before. */
export const dodge = ({ frame, launcher }, others) => {
  const own = frame.getRootNode().host;
  const isLauncher = (node) =>
    node.shadowRoot?.querySelector(".launcher") || (getComputedStyle(node).position === "fixed" && node.clientHeight < 240);
  const tops = others
    .filter(isLauncher)
    .filter((node) => !(own.compareDocumentPosition(node) & Node.DOCUMENT_POSITION_FOLLOWING) || !node.shadowRoot?.querySelector(".launcher"))
    .map((node) => (node.shadowRoot?.querySelector(".launcher") ?? node).getBoundingClientRect().top);
  const { bottom } = launcher.getBoundingClientRect();
  const lift = Math.round(bottom - Math.min(...tops) + 12);
  // Infinite where there is none.
  if (!(lift > 0 && lift < innerHeight)) return;
  frame.style.setProperty("--lift", `${lift}px`);
  console.warn(`Parley: another launcher stands here; moved up by ${lift} px. "widget_offset_y" does so for good.`);
};
