const rules = `
.badge { position: absolute; top: -4px; inset-inline-end: -4px; min-width: 22px; border-radius: var(--p-r-full); background: var(--text); color: var(--surface); font: 600 var(--p-xs)/22px var(--p-font); }
.preview {
  position: absolute; bottom: calc(var(--offset_y) + var(--lift, 0px) + var(--size) + var(--p-3)); right: var(--offset_x); width: max-content; max-width: min(280px, 100vw - 2 * var(--offset_x) - 8px);
  display: flex; align-items: start; background: var(--surface); color: var(--text); border: 1px solid var(--line); border-radius: var(--p-r-l); box-shadow: 0 var(--p-1) var(--p-4) var(--shade); font-size: var(--p-m); line-height: var(--p-m-line);
}
.left .preview { right: auto; left: var(--offset_x); }
.preview button { min-width: 44px; min-height: 44px; padding: var(--p-2) var(--p-3); text-align: start; overflow-wrap: anywhere; unicode-bidi: plaintext; }
.preview b { display: block; }
.preview svg { width: 20px; fill: none; stroke: currentColor; stroke-width: 2; stroke-linecap: round; }
.head label { flex: none; display: flex; align-items: center; gap: var(--p-1); position: relative; min-height: 44px; padding-inline: var(--p-1); border-radius: var(--p-r-m); font-size: var(--p-s); font-weight: 600; }
.head select { position: absolute; inset: 0; opacity: 0; cursor: pointer; font-size: var(--p-l); }
.head label:focus-within { outline: var(--ring); }
`;
export const motions = `
.spin { animation: spin 6s linear infinite; }
.spiral { animation: spin 6s linear infinite, breathe 3s ease-in-out infinite; }
@keyframes spin { to { rotate: 360deg; } }
@keyframes breathe { 50% { scale: .8; } }
`;
const PREVIEWED = 120;
// Milliseconds: a tab that has the chat in sight marks it as read within them.
const SETTLES = 300;
const CROSS = "M6 6l12 12M18 6L6 18";
const GLOBE = "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM3 12h18M12 3c-5 5-5 13 0 18 5-5 5-13 0-18z";

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

// Milliseconds: a message that is deleted so soon, or unseen, leaves no trace.
const UNNOTICED = 10_000;

/** Shows a message as its operator has changed it: its new text, or that it is gone. */
const amend = (chat, { message }) => {
  const { draw, thread, words } = chat;
  const [edited, deleted] = words.changed;
  const { created_at, deleted_at, edited_at, seen_at } = message;
  if (!deleted_at && !edited_at) return; // a picture without words
  const isNoticed = seen_at && Date.parse(deleted_at) - Date.parse(created_at) > UNNOTICED;
  const gone = { sender: { kind: "system" }, body: isNoticed ? deleted : "", seen_at: seen_at ?? deleted_at };
  thread.add({ ...message, ...(deleted_at ? gone : { edited }) }, true);
  chat.preview?.remove();
  draw();
};

/** The reactions to rare events of the server. */
export const seldom = {
  "message.updated": amend,
  async "rating.requested"(chat) {
    if (!chat.settings.features.rating) return;
    const { load } = chat;
    const [{ askRating }, forms, asks] = await Promise.all([chat.bring("./rating.js"), load("./forms.js"), load("./asks.js")]);
    if (!chat.asks.rating) askRating(chat, forms, asks);
  },
  /** In another tab. */
  "rating.created"(chat) {
    const { node } = chat.asks.rating ?? {};
    if (node?.matches(":not([data-rated])")) chat.load("./asks.js").then(({ offer }) => offer(chat, "rating", null));
  },
  "agent.presence"(chat) {
    clearTimeout(chat.asked);
    chat.asked = setTimeout(() => refresh(chat).then(chat.draw).catch(() => {}), Math.random() * 2000);
  },
};

/** Teaches `chat` the rare parts: its steps between the messages, and why nothing is sent now. */
export const learn = (chat) => {
  const { connection, draw, isLong, settings, words } = chat;
  const { limits: [long, slow], steps: names } = words;
  /** Each call notes the steps before the message `last`. */
  const steps = (note) => {
    let told = 0;
    return (last = Infinity) => {
      for (; settings.steps[told]?.after_message_id < last; told++) {
        const { id, kind, name } = settings.steps[told];
        note(`step ${id}`, name ? `${names[kind]} · ${name}` : names[kind]);
      }
    };
  };
  const limit = () => (connection.slowed ? slow.replace("#", connection.slowed) : isLong() && long);
  chat.rare = { limit, steps };
  draw();
};

/** Keeps the panel above an on-screen keyboard. */
export const fit = ({ style }) => {
  const { height, offsetTop } = /** @type {VisualViewport} */ (visualViewport);
  style.setProperty("--height", `${height}px`);
  style.setProperty("--top", `${offsetTop}px`);
};

/** Reads the messages before the first known one. */
export const older = async (chat) => {
  const { connection, draw, thread } = chat;
  const first = thread.items()[0]?.id;
  // A session gives a hundred at first.
  if (chat.oldest === first || !thread.items()[99]) return;
  chat.oldest = first;
  const found = await connection.post(`messages?before_id=${first}&limit=100`).catch(() => (chat.oldest = null));
  for (const message of found ?? []) thread.add(message, true);
  draw();
};

/** Reads the settings again. */
const refresh = async ({ drawLauncher, read, settings }, code) => {
  Object.assign(settings, await read(code));
  drawLauncher();
};

/** Has launcher and chat speak another language, from now on. */
export const speak = async (app, code) => {
  const { chat, fire, load, settings, storage } = app;
  // As it is: the loader reads it.
  storage.set("lang", code, code);
  await refresh(app, code);
  if (settings.language !== code) {
    storage.set("lang", null);
    console.warn(`Parley: no language ${String(code)}`);
  }
  (await chat)?.speak(await load(settings.texts_url));
  fire("language", settings.language);
};

/** Where a visitor chooses the language. */
export const languages = ({ h, icon, settings, style, words, setLanguage }) => {
  style(rules);
  return h(
    "label",
    { title: words.language },
    icon(GLOBE),
    settings.language.toUpperCase(),
    h(
      "select",
      { "aria-label": words.language, onchange: ({ target }) => setLanguage(target.value) },
      ...settings.languages.map(({ code, name }) =>
        h("option", { value: code, selected: code === settings.language ? "" : null }, name),
      ),
    ),
  );
};

/** The beginning of a text, whole words of it. */
const beginning = (text) => {
  const signs = [...text];
  if (signs.length <= PREVIEWED) return text;
  const cut = signs.slice(0, PREVIEWED).join("");
  return `${/\s/.test(cut) ? cut.slice(0, cut.search(/\s\S*$/)) : cut}…`;
};

/** An answer that nobody looks at: a tone, in one of the tabs, and its beginning beside the launcher. */
export const announce = (chat, message, isLive) => {
  const { h, icon, launcher, open, settings, storage, style, thread, words } = chat;
  const ring = () => {
    if (!thread.unread() || storage.get("rung") >= message.id) return;
    storage.set("rung", message.id);
    tone();
  };
  if (isLive && settings.widget_sound) setTimeout(ring, SETTLES * (1 + Math.random()));
  if (!settings.widget_show_preview || chat.isOpen() || !thread.unread()) return;
  style(rules);
  const { type, body, file, name, sender } = message;
  const [picture, sticker, place] = words.kinds;
  const kind = { image: picture, file: file?.name ?? name, sticker, location: place }[type];
  const text = [kind, beginning(body ?? "")].filter(Boolean).join(" · ");
  chat.preview?.remove();
  chat.preview = h(
    "div",
    { class: "preview", role: "status" },
    h("button", { onclick: () => open() }, sender?.name && h("b", null, sender.name), text),
    h("button", { "aria-label": words.dismiss, onclick: () => chat.preview.remove() }, icon(CROSS)),
  );
  launcher.after(chat.preview);
};

/** Shows how many answers wait: at the launcher, and in the page's title while nobody looks at it. */
export const count = (chat) => {
  const { settings, style, thread, mark = "" } = chat;
  style(rules);
  const unread = thread.unread();
  const next = document.hidden && unread && settings.widget_show_title_count ? `(${unread}) ` : "";
  if (next === mark) return;
  document.title = next + (document.title.startsWith(mark) ? document.title.slice(mark.length) : document.title);
  chat.mark = next;
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
