const rules = `
.theirs > .disclosure { grid-column: 1 / -1; justify-self: center; }
.sources, .translated { font-size: var(--p-s); line-height: var(--p-s-line); }
.translated { opacity: .85; }
.sources :is(a, button) { display: block; padding: var(--p-1) 0; text-align: start; text-decoration: underline; }
.thumbs { display: flex; gap: var(--p-2); }
.thumbs button { width: var(--p-control); height: var(--p-control); padding: 0; border-radius: var(--p-r-m); color: var(--bubble_text); }
.thumbs button + button svg { transform: rotate(180deg); }
.thumbs [aria-pressed=true] { background: var(--accent); color: var(--accent_text); }
`;
const ADDRESS = /^https?:\/\//i;
const THUMB = "M2 21h4V9H2zM22 11a2 2 0 0 0-2-2h-6l1-5a2 2 0 0 0-3-2L8 9v10c0 1 1 2 2 2h8c1 0 2-1 2-1l2-7z";

/** Says, beside an AI's message drawn as `bubble`, that an AI speaks: behind the name, and above the first in sight. Its visitor says whether it
 * helped. */
export const dress = ({ app, connection, h, icon, settings, storage, style, thread, words }, bubble, { id, ai, origin, sender, sources = [], translated_from }) => {
  style(rules);
  const { language } = settings;
  const [mark, sentence, word, useful, useless, translated] = words.answers;
  if (translated_from) {
    const from = new Intl.DisplayNames(language, { type: "language" }).of(translated_from);
    bubble.append(h("div", { class: "translated" }, translated.replace("#", from)));
  }
  if (!ai) return;
  bubble.parentNode.querySelector(".who, .hear").textContent = `${sender.name} (${mark})`;
  const isArticle = ({ article_id }) => settings.help && article_id;
  const open = sources.filter((source) => isArticle(source) || ADDRESS.test(source.url));
  const read = (source) => {
    const { article_id, title, url } = source;
    if (isArticle(source)) return h("button", { type: "button", dir: "auto", onclick: () => app.who("openArticle", article_id) }, title);
    return h("a", { href: url, target: "_blank", rel: "noopener noreferrer", dir: "auto" }, title || url);
  };
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
  // Of an answer: an invitation is none.
  if (origin !== "invitation") bubble.append(h("div", { class: "thumbs" }, ...buttons));

  if (thread.items().find(({ ai }) => ai)?.id !== id) return;
  bubble.getRootNode().querySelector?.(".disclosure")?.remove();
  bubble.parentNode.prepend(h("div", { class: "note disclosure" }, settings.ai_disclosure ?? sentence));
};
