// As in the console: one picture means one thing.
const CLIP = "M8 7v9a4 4 0 0 0 8 0V6a2.5 2.5 0 0 0-5 0v10a1 1 0 0 0 2 0V7";
const PLANE = "M4 12l16-8-6 16-3-7z";
const CROSS = "M6 6l12 12M18 6L6 18";
// Milliseconds.
const TYPING_AGAIN = 5_500;
const TYPING_LASTS = 8_000;
// Without an answer, after which an address is asked for while somebody is there.
const PATIENCE = 60_000;
const DAY = 86_400_000;
// These events stay in here: a page has shortcuts, focus traps, smooth scrolling, rules on copying.
const OWN_EVENTS =
  "beforeinput input wheel touchmove copy cut paste contextmenu selectstart dragstart dragenter dragover dragleave drop";
// As on the server.
const LONGEST = 10_000;

/** The name of a control without words, for the eye and for a screen reader. */
const named = (title) => ({ title, "aria-label": title });

/** The files of a message: by button, drop or paste. */
const filing = (chat) => {
  const { bring, h, icon, settings, t } = chat;
  const take = ({ files, types }, type) => {
    const given = [...files];
    if (settings.features.files) bring("./files.js").then(({ take }) => take(chat, given, type, types));
  };

  const attaching = () => {
    if (!settings.features.files) return [];
    const onchange = () => {
      take(chooser);
      chooser.value = "";
      chat.input.focus();
    };
    const chooser = h("input", { type: "file", multiple: "", hidden: "", onchange });
    return [chooser, h("button", { type: "button", ...named(t.attach), onclick: () => chooser.click() }, icon(CLIP))];
  };

  const dropped = (event) => {
    if (!event.dataTransfer.types.includes("Files")) return;
    // Else the browser leaves the page for the file.
    event.preventDefault();
    take(event.dataTransfer, event.type);
  };

  const pasted = ({ clipboardData }) => clipboardData.files[0] && take(clipboardData);
  return { attaching, dropped, pasted };
};

/** The form below the conversation of `chat`: words and files. */
const composer = (chat) => {
  const { connection, draw, h, icon, send, storage, t } = chat;
  const { attaching, dropped, pasted } = filing(chat);
  let typedAt = 0;

  const tellTyping = () => {
    const started = input.value;
    storage.set("draft", started || null);
    draw();
    if (started && Date.now() - typedAt < TYPING_AGAIN) return;
    typedAt = started ? Date.now() : 0;
    connection.tell("typing", { state: started ? "start" : "stop" });
  };

  const write = (event) => {
    event.preventDefault();
    const body = input.value.trim();
    if (!body || body.length > LONGEST || !send({ type: "text", body })) return;
    input.value = "";
    tellTyping();
  };

  const input = h("textarea", {
    rows: 1,
    placeholder: t.write,
    "aria-label": t.write,
    oninput: tellTyping,
    onpaste: pasted,
    // `key` is Enter while an input method composes; the code is not.
    onkeydown: (event) => event.keyCode === 13 && !event.shiftKey && write(event),
  });
  input.value = storage.get("draft") ?? "";
  const node = h("form", { class: "composer", onsubmit: write }, ...attaching(), input, h("button", named(t.send), icon(PLANE)));
  return { node, input, dropped, isLong: () => input.value.length > LONGEST };
};

/** Who speaks: their picture, else the first letters of their name. */
const faceOf = (h, { name, avatar_url: src }) => {
  const [one = "", two = ""] = name.match(/[\p{L}\p{N}]+/gu) ?? [];
  const letters = [...one.slice(0, two ? 1 : 2), two[0]].join("").toUpperCase();
  const face = h("span", { class: "face", "aria-hidden": "true" }, letters);
  // One of six, by the name: visitors know no more of a person.
  face.style = `--tint: ${60 * (name.length + name.charCodeAt())}`;
  if (!/^https?:/.test(src)) return face;
  const image = h("img", { src, class: "face", alt: "", onerror: () => image.replaceWith(face) });
  return image;
};

const near = (a, b) => a && b && a.sender.kind + a.sender.name === b.sender.kind + b.sender.name;

/** Gives the function that draws the conversation of `chat`. */
const drawer = (chat) => {
  const { h, isMine, settings } = chat;
  let rows = new Map();

  const filled = (className, message) => {
    const { body, markdown, type, keyboard } = message;
    const node = h("div", { class: className }, body && h("span", { class: "text" }, body));
    // Words stand at once; pictures, files and links follow.
    if (type !== "text" || keyboard || markdown || /https?:/i.test(body)) chat.load("./media.js").then(({ add }) => add(chat, node, message));
    return node;
  };

  /** A message; `first` and `last` of its sender's run, whose name is shown where it is `told`. @param {any} message @param {{first?: any, last?: any, told?: any, state?: any, retry?: any}} run */
  const row = (message, { first, last, told, state, retry }) => {
    const { avatar_url, kind, name } = message.sender ?? {};
    const mine = isMine(message);
    if (kind === "system" && !message.origin) return filled("note", message);
    const bubble = filled(`bubble ${message.type}`, message);
    if (message.ai || message.translated_from) chat.bring("./answers.js").then(({ dress }) => dress(chat, bubble, message));
    const at = new Date(message.created_at);
    const time = at.toLocaleTimeString(settings.language, { timeStyle: "short" });
    return h(
      "div",
      { class: `row ${mine ? "mine" : "theirs"} ${first ? "first" : ""} ${message.state ?? ""}` },
      h("span", { class: first && told && !mine ? "who" : "hear" }, mine ? chat.t.you : name),
      last && !mine && faceOf(h, [settings.ai?.operator, ...settings.present].find((each) => each?.name === name) ?? { avatar_url, name: name ?? settings.widget_name }),
      bubble,
      +at && (last || state) && h("div", { class: "meta" }, time, state && ` · ${state} `, retry),
    );
  };

  return (list) => (rows = drawRows(chat, row, list, rows));
};

/** Keeps rows that are shown already: `show` draws a new row, or another version of it; `note` is a line of the house. */
const keeping = (h, rows) => {
  const shown = new Map();
  const show = (key, version, build) => {
    let known = rows.get(key);
    if (known?.version !== version) {
      const node = build();
      // The same element, so that a screen reader does not repeat it.
      if (known) {
        known.node.className = node.className;
        known.node.replaceChildren(...node.childNodes);
      }
      known = { version, node: known?.node ?? node };
    }
    shown.set(key, known);
  };
  return { shown, show, note: (key, text) => show(key, text, () => h("div", { class: "note" }, text)) };
};

/** The messages, each day under its date, with the steps of the chat between them. */
const drawItems = (chat, row, items, { show, note }) => {
  const { connection, invited, h, isMine, settings: { language }, t } = chat;
  const lastMine = items.findLast(isMine);
  const others = items.filter(({ sender }) => sender.name);
  const told = others.some(({ ai, sender }) => ai || sender.name !== others[0].sender.name);
  const tellSteps = chat.rare?.steps(note);
  let day;
  items.forEach((item, index) => {
    tellSteps?.(item.id);
    const at = new Date(item.created_at);
    const year = at.getFullYear() < new Date().getFullYear() ? "numeric" : undefined;
    const ago = /** @type {number} */ ([0, 1].find((days) => new Date(Date.now() - days * DAY).toDateString() === at.toDateString()));
    const word = new Intl.RelativeTimeFormat(language, { numeric: "auto" }).format(-ago || 0, "day");
    const date = ago >= 0 ? word[0].toUpperCase() + word.slice(1) : at.toLocaleDateString(language, { day: "numeric", month: "long", year });
    const first = date !== day || !near(items[index - 1], item);
    if (date !== day) note(date, date);
    day = date;
    invited?.stand(show, row, item, items[index - 1]);
    const last = !near(item, items[index + 1]);
    const state = item.state ? t[connection.lost && !item.failed ? "waits" : item.state] + (item.progress ?? "") : item === lastMine ? (item.seen_at ? t.seen : t.sent) : item.edited;
    show(item.key, JSON.stringify([item, first, last, told, state]), () => {
      const retry = item.failed
        ? h("button", { onclick: () => connection.retry(item.client_id) }, t.retry)
        : item.cancel && h("button", { onclick: item.abort }, item.cancel);
      return row(item, { first, last, told, state, retry });
    });
  });
  tellSteps?.();
  invited?.stand(show, row);
};

/** The one sentence on who answers now: the head, the log and its form say it alike. `says`: nobody answers (forms.js). */
const stateOf = ({ back, says, settings: { ai, closed_text, online }, t }) => (online ? t.online : ai && !says ? t.ai : closed_text || back || t.offline);

/** Draws the conversation into `list`; gives its rows by their keys. */
const drawRows = (chat, row, list, rows) => {
  const { h, settings, thread } = chat;
  const kept = keeping(h, rows);
  const { shown, show, note } = kept;
  const items = thread.items();
  const [first] = items;
  const { ai, widget_greeting, widget_name: name } = settings;
  const body = ai?.greeting ?? widget_greeting;
  const sender = (ai?.greeting && ai.operator) || { name };
  const about = chat.about?.(first);
  // An invitation stands in its place.
  const isInvited = first?.origin === "invitation" || chat.invited?.isFirst(first);
  if (isInvited) chat.invited?.stand(show, row);
  else if (body) show("greeting", body + sender.name, () => row({ type: "text", body, sender }, { first: 1, last: 1, told: 1 }));
  else if (!first) note("state", stateOf(chat));
  if (about) show(about, "", () => about);
  drawItems(chat, row, items, kept);
  // A chat that ended begins anew with the next message.
  if ((!first || settings.steps.at(-1)?.kind === "closed") && (settings.help || ai?.quick_phrases?.[0] || (settings.widget_show_departments && settings.departments[1])))
    show("begin", "", () => {
      const node = h("div", { class: "begin" });
      chat.bring("./begin.js").then(({ begin }) => node.append(...begin(chat)));
      return node;
    });
  if (chat.says) note("state", stateOf(chat));
  const asked = chat.ask ?? chat.line;
  if (asked) show(asked, "", () => asked);
  for (const [key, { node }] of rows) if (!shown.has(key)) node.remove();
  [...shown.values()].forEach(({ node }, index) => {
    if (list.children[index] !== node) list.insertBefore(node, list.children[index]);
  });
  return shown;
};

/** Shows who is there, and any trouble. */
const drawHead = (chat) => {
  const { connection, faces, h, lost, settings, status, t } = chat;
  const { online, present, operators_display_mode: mode } = settings;
  const shown = mode === "hidden" ? [] : present.slice(0, 3);
  const names = mode === "faces" ? "" : shown.map(({ name }) => name).join(", ");
  const more = names && present[3] ? ` +${present.length - 3}` : "";
  faces.replaceChildren(...(mode === "names" ? [] : shown).map((each) => faceOf(h, each)));
  status.hidden = !settings.widget_show_status;
  status.className = online && !status.hidden ? "online" : "";
  faces.className = `faces ${status.className}`;
  status.title = status.textContent = (online && names + more) || stateOf(chat);
  lost.textContent = connection.lost ? t.lost : chat.rare?.limit() || connection.refused;
};

/** Draws all that may have changed. */
const draw = (chat) => {
  const { bring, connection, isLong, isMine, load, panel, settings, thread } = chat;
  drawHead(chat);
  if (!chat.rare && (settings.steps[0] || connection.slowed || isLong())) bring("./extras.js").then(({ learn }) => learn(chat));
  if (!settings.online || chat.says || chat.asks.away) bring("./forms.js").then(({ away }) => away(chat));
  const mine = thread.items().findLast(isMine);
  const { mode: mails = "off", state } = chat.letters ?? {};
  const isNews = state !== "none" || !settings.online || mine?.body.includes("@") || Date.now() - +new Date(mine?.created_at) > PATIENCE;
  if (mine?.id && mails !== "off" && isNews) bring("./letters.js").then(({ tell }) => tell(chat));
  if (settings.questions) bring("./questions.js").then(({ ask }) => ask(chat));
  chat.choose?.();
  chat.drawLog();
  const read = chat.isOpen() && !panel.hidden && !document.hidden && thread.markRead();
  if (read) connection.tell("seen", { message_id: read });
  const unread = thread.unread();
  if (!unread || chat.isOpen()) chat.preview?.remove();
  if (unread !== chat.app.unread) {
    chat.fire("unread", (chat.app.unread = unread));
    chat.drawLauncher();
  }
  if (chat.mark || unread) load("./extras.js").then(({ count }) => count(chat));
};

const onKey = ({ panel }, event) => {
  if (event.key !== "Tab") return;
  const stops = [...panel.querySelectorAll("a[href], button, input, select, textarea, .log")].filter((node) => node.checkVisibility());
  const [from, to] = event.shiftKey ? [stops[0], stops.at(-1)] : [stops.at(-1), stops[0]];
  if (event.target !== from && event.target !== panel) return;
  event.preventDefault();
  to.focus();
};

/** Makes the panel, in the language of the settings. */
const build = (chat) => {
  const { bring, frame, h, icon, load, settings, t } = chat;
  const hidden = chat.panel?.hidden ?? true;
  chat.panel?.remove();
  Object.assign(chat, { about: null, ask: null, asks: {}, line: null, state: "", told: "", rare: null });
  const { messengers, widget_name: title, widget_show_messengers, widget_signature } = settings;
  const faces = h("div", { class: "faces" });
  const status = h("p");
  const lost = h("p", { class: "lost", role: "status" });
  const list = h("div");
  const log = h("div", { class: "log", role: "log", tabindex: 0, "aria-label": t.log, "aria-relevant": "additions" }, list);
  // It is laid out from its end: further up is negative.
  log.onscroll = () => {
    panel.classList.toggle("up", log.scrollTop < -1);
    if (log.scrollHeight + log.scrollTop - log.clientHeight < 300 && chat.thread.items()[99]) load("./extras.js").then(({ older }) => older(chat));
  };
  const typing = h("p", { class: "typing", role: "status" });
  const { node, dropped, ...composed } = composer(chat);
  const head = h(
    "div",
    { class: "head" },
    faces,
    h("div", null, h("h2", { title }, h("bdi", null, title)), status),
    h("button", { ...named(t.close), onclick: chat.close }, icon(CROSS)),
  );
  const dialog = { class: "panel", role: "dialog", "aria-label": title, tabindex: -1, onkeydown: (event) => onKey(chat, event), ondragover: dropped, ondragleave: dropped, ondrop: dropped };
  const panel = h("section", dialog, head, lost, log, typing, node);
  panel.hidden = hidden;
  frame.append(panel);
  const drawLog = drawer(chat);
  Object.assign(chat, { composer: node, panel, head, faces, status, lost, log, typing, ...composed, drawLog: () => drawLog(list) });
  const links = (widget_show_messengers && messengers) || [];
  if (links[0] || widget_signature) bring("./messengers.js").then(({ tell }) => tell(chat, links));
  if (settings.widget_show_lang_switcher && settings.languages[1])
    bring("./extras.js").then(({ languages }) => head.insertBefore(languages(chat), head.children[2]));
  if (settings.email_codes) bring("./codes.js").then(({ offer }) => offer(chat));
  chat.draw();
};

/** The reaction to each event of the server. */
const reactionsOf = (chat) => {
  const { bring, isMine, settings, thread } = chat;
  let typingEnds;

  /** @param {{state?: string, name?: string}} typed */
  const showTyping = ({ state, name = "" }) => {
    clearTimeout(typingEnds);
    const started = state === "start" && settings.widget_show_typing;
    chat.typing.textContent = started ? `${name} ${chat.t.typing}` : "";
    if (started) typingEnds = setTimeout(() => showTyping({}), TYPING_LASTS);
  };
  const present = ({ online, present = [], steps }) => {
    Object.assign(settings, { online, present });
    if (steps) settings.steps = steps;
  };
  /** The reaction to a rare event, by a module that is loaded then. */
  const later = (type) => (data) => bring("./extras.js").then(({ seldom }) => seldom[type](chat, data));
  const amend = later("message.updated");
  const place = ({ queue }) => (queue || chat.place) && bring("./queue.js").then(({ tell }) => tell(chat, queue));
  return {
    message(message) {
      if (isMine(message)) return;
      if (message.edited_at || !message.body) amend({ message });
      showTyping({});
      const isUnseen = thread.unread() && (!chat.isOpen() || document.hidden);
      if (isUnseen) bring("./extras.js").then(({ announce }) => announce(chat, message, chat.isLive));
    },
    session(data) {
      chat.isLive = false;
      chat.known_answers = data.known_answers;
      chat.letters = data.letters;
      present(data);
      place(data);
    },
    ready(data) {
      chat.isLive = true;
      present(data);
      place(data);
    },
    typing: showTyping,
    left() {
      // Half-filled forms.
      for (const name of ["form", "address", "answers"]) chat.visit.set(name, null);
      chat.invited = null;
      build(chat);
    },
    "chat.moved": () => thread.reset((settings.steps = [])),
    "chat.step": (step) => settings.steps.push(step),
    "message.updated": amend,
    "message.seen": ({ message_id }) => thread.markSeen(message_id),
    "agent.presence"(data) {
      present(data);
      later("agent.presence")();
    },
    "rating.requested": later("rating.requested"),
    "rating.created": later("rating.created"),
    "queue.updated": place,
  };
};

/** Keeps the focus from a page's dialogs, the panel within an on-screen keyboard's view, and all drawn. */
const watch = ({ connection, draw, frame, keepIn, load }) => {
  keepIn(OWN_EVENTS);
  const root = /** @type {ShadowRoot} */ (frame.getRootNode());
  // A trap of a page's dialog takes the focus back from any other element; from a frame it cannot.
  addEventListener(
    "focusout",
    (event) => {
      if (event.relatedTarget !== root.host) return;
      event.stopImmediatePropagation();
      /** @type {EventTarget} */ (event.target).dispatchEvent(new FocusEvent("focusout", { bubbles: true, composed: true }));
    },
    true,
  );
  document.addEventListener("visibilitychange", draw);
  // Seen, or written, in another tab.
  addEventListener("storage", () => {
    connection.leave();
    // Who is here now has begun in that tab.
    if (connection.known()) connection.start();
    draw();
  });
  // An on-screen keyboard takes height unknown to CSS.
  for (const type of ["resize", "scroll"]) visualViewport?.addEventListener(type, () => load("./extras.js").then(({ fit }) => fit(frame)));
};

/** The calls on the whole `chat`, by its modules and by the launcher. */
const callsOf = (chat, spoken) => ({
  t: spoken.texts,
  draw: () => draw(chat),
  /** Loads a module that speaks, and its `words`. */
  async bring(name) {
    const [module, { words }] = await Promise.all([chat.load(name), chat.load(spoken.more)]);
    chat.words = words;
    return module;
  },
  send(content, complete) {
    if (chat.keeps?.(content, complete)) return;
    chat.connection.send({ ...content, department_id: chat.department_id, ...chat.answer?.(), ...chat.invited?.answer() }, complete);
    setTimeout(chat.draw, PATIENCE + 1);
    chat.department_id = undefined;
    chat.log.scrollTop = 0;
    return true;
  },
  show(quietly) {
    chat.panel.hidden = false;
    chat.connection.start();
    chat.draw();
    if (!quietly) chat.input.focus();
  },
  hide() {
    if (chat.panel.matches(":focus-within")) chat.launcher.focus();
    chat.panel.hidden = true;
    chat.draw();
  },
  speak(other) {
    spoken = other;
    chat.t = spoken.texts;
    build(chat);
  },
  reset() {
    chat.connection.leave();
    if (chat.isOpen()) chat.connection.start();
  },
});

/** The conversation, in a panel beside the launcher's (`app`, see launcher.js); its modules share its members. */
export const startChat = (app, [{ Connection, Thread, isMine }, spoken]) => {
  const thread = new Thread(app.storage);
  const chat = { ...app, app, thread, isMine };
  Object.assign(app.settings, { present: [], steps: [] });
  Object.assign(chat, callsOf(chat, spoken));
  const reactions = reactionsOf(chat);
  const connection = (chat.connection = new Connection(chat, (type, data) => {
    reactions[type]?.(data);
    if (type === "message" || type === "identified") app.fire(type, data);
    chat.draw();
  }));
  build(chat);
  watch(chat);
  if (connection.known() || thread.next()) connection.start();
  return chat;
};
