const rules = `
.disclosure { align-self: center; }
.sources { margin-top: 6px; font-size: 12px; }
.translated { margin-top: 6px; font-size: 12px; opacity: .8; }
.sources a { display: block; }
.thumbs { display: flex; gap: 4px; margin: 0 0 -4px -4px; }
.thumbs button { padding: 4px; border-radius: 8px; color: var(--muted); }
.thumbs svg { display: block; width: 16px; height: 16px; }
.thumbs button + button svg { transform: rotate(180deg); }
.thumbs [aria-pressed=true] { background: var(--accent); color: var(--accent_text); }
`;
const ADDRESS = /^https?:\/\//i;
const THUMB = "M2 21h4V9H2zM22 11a2 2 0 0 0-2-2h-6l1-5a2 2 0 0 0-3-2L8 9v10c0 1 1 2 2 2h8c1 0 2-1 2-1l2-7z";
/** By language: the mark behind a name, the sentence before the first message where the config has none (as on the server), and words. The last: that a message is a translation. */
const TEXTS = {
  ru: ["ИИ", "Вам отвечает ИИ. Он может ошибаться.", "Источники", "Полезно", "Не помогло", "Перевод, язык оригинала: #"],
  en: ["AI", "An AI is answering you. It can make mistakes.", "Sources", "Helpful", "Not helpful", "Translated from #"],
  el: ["ΤΝ", "Σας απαντά τεχνητή νοημοσύνη. Μπορεί να κάνει λάθη.", "Πηγές", "Χρήσιμο", "Δεν βοήθησε", "Μετάφραση από: #"],
  de: ["KI", "Ihnen antwortet eine KI. Sie kann sich irren.", "Quellen", "Hilfreich", "Nicht hilfreich", "Übersetzt aus: #"],
  es: ["IA", "Le responde una IA. Puede equivocarse.", "Fuentes", "Útil", "No es útil", "Traducido del #"],
  ar: ["ذكاء اصطناعي", "يجيبك ذكاء اصطناعي، وقد يخطئ.", "المصادر", "مفيد", "غير مفيد", "مترجم من #"],
  zh: ["AI", "正在回复您的是人工智能，它可能会出错。", "来源", "有帮助", "没有帮助", "译自#"],
};

/** Says, beside an AI's message drawn as `bubble`, that an AI speaks: behind the name, and above the first in sight. Its visitor says whether it
 * helped. */
export const dress = ({ connection, h, icon, settings, storage, style, thread }, bubble, { id, ai, sender, sources = [], translated_from }) => {
  style(rules);
  const { language } = settings;
  const [mark, sentence, word, useful, useless, translated] = TEXTS[language] ?? TEXTS.en;
  if (translated_from) {
    const from = new Intl.DisplayNames(language, { type: "language" }).of(translated_from);
    bubble.append(h("div", { class: "translated" }, translated.replace("#", from)));
  }
  if (!ai) return;
  bubble.previousSibling.textContent = `${sender.name} (${mark})`;
  const open = sources.filter(({ url }) => ADDRESS.test(url));
  const read = ({ title, url }) => h("a", { href: url, target: "_blank", rel: "noopener noreferrer", dir: "auto" }, title || url);
  if (open[0]) bubble.append(h("details", { class: "sources" }, h("summary", null, word), ...open.map(read)));

  const key = `thumb:${id}`;
  const show = () => buttons.forEach((button, down) => button.setAttribute("aria-pressed", storage.get(key) === !down));
  const press = async (event) => {
    const before = storage.get(key) ?? null;
    const pressed = event.currentTarget === buttons[0];
    const helpful = before === pressed ? null : pressed;
    storage.set(key, helpful);
    show();
    await connection.post(`messages/${id}/feedback`, { helpful }, "PUT").catch(() => storage.set(key, before));
    show();
  };
  const buttons = [useful, useless].map((title) => h("button", { type: "button", title, "aria-label": title, onclick: press }, icon(THUMB)));
  show();
  bubble.append(h("div", { class: "thumbs" }, ...buttons));

  if (thread.items().find(({ ai }) => ai)?.id !== id) return;
  bubble.getRootNode().querySelector?.(".disclosure")?.remove();
  bubble.parentNode.prepend(h("div", { class: "note disclosure" }, settings.ai_disclosure ?? sentence));
};
