const CLIP = "M8 7v9a4 4 0 0 0 8 0V6a2 2 0 0 0-5 0v10a1 1 0 0 0 2 0V7h2v9a3 3 0 0 1-6 0V6a4 4 0 0 1 9 0v10a6 6 0 0 1-12 0V7z";
const PLANE = "M3 20.5L21 12 3 3.5V10l12 2-12 2z";
const CROSS = "M6.4 5L12 10.6 17.6 5 19 6.4 13.4 12 19 17.6 17.6 19 12 13.4 6.4 19 5 17.6 10.6 12 5 6.4z";
// Milliseconds.
const TYPING_LASTS = 8_000;
const TYPING_AGAIN = 5_500;
// Without an answer, after which an address is asked for while somebody is there.
const PATIENCE = 60_000;
// As on the server.
const LONGEST = 10_000;

const DAY = 86_400_000;

const safe = (url) => (/^https?:\/\//i.test(url) ? url : undefined);

/** The conversation, in a panel beside the launcher's (`app`, see launcher.js). */
export const startChat = (app, { Connection, Thread, isMine }, parts, texts) => {
  const { settings, storage, frame, fire, h, icon, load } = app;
  const thread = new Thread(storage);
  const root = /** @type {ShadowRoot} */ (frame.getRootNode());
  // A trap of a page's dialog takes the focus back from whoever gets it; of a frame it is not told who that is.
  addEventListener(
    "focusout",
    (event) => {
      if (event.relatedTarget !== root.host) return;
      event.stopImmediatePropagation();
      /** @type {EventTarget} */ (event.target).dispatchEvent(new FocusEvent("focusout", { bubbles: true, composed: true }));
    },
    true,
  );
  settings.present = [];
  settings.steps = [];
  let t = texts;
  let rows = new Map();
  let typedAt = 0;
  let mark = "";
  let isLive = false;
  let asksContacts = false;
  let asked, typingEnds, form, holds, department_id;
  let panel, faces, status, lost, list, log, typing, rating, input;

  const link = (url, className, ...children) =>
    h("a", { href: safe(url), class: className, target: "_blank", rel: "noopener noreferrer" }, ...children);

  const linked = (text) => parts(text).map((part, index) => (index % 2 ? link(part, null, part) : part));

  /** A picture, or `instead` where none loads. */
  const picture = (url, className, alt, instead) => {
    if (!safe(url)) return instead;
    const image = h("img", { src: url, class: className, alt, onerror: () => image.replaceWith(instead) });
    return image;
  };

  const written = ({ body, markdown }) => {
    const node = h("span", { class: "text" }, ...linked(body));
    if (markdown) load("./markdown.js").then(({ render }) => node.replaceChildren(...render(markdown, { ...app, link, parts })));
    return node;
  };

  const content = (message) => {
    const { type, body, name, url, file, coords, sticker, keyboard } = message;
    const parts = [];
    if (type === "image" || type === "file") {
      const label = file?.name ?? name;
      const size = file?.size > 0 && h("small", null, ` ${Math.ceil(file.size / 1024)} KB`);
      parts.push(link(url, null, type === "image" ? picture(url, type, label, label) : label, type === "file" && size));
    }
    if (type === "sticker") parts.push(picture(sticker?.url, type, "☺", "☺"));
    if (type === "location" && coords) {
      const { lat, lng } = coords;
      const map = `https://www.openstreetmap.org/?mlat=${lat}&mlon=${lng}`;
      parts.push(link(map, null, `📍 ${lat}, ${lng}`));
    }
    if (body) parts.push(written(message));
    for (const { label, url, style } of keyboard?.buttons ?? []) parts.push(link(url, `key ${style}`, label));
    return parts;
  };

  /** A message; `first` and `last` of its sender's run. @param {any} message @param {{first?: any, last?: any, state?: any, retry?: any}} run */
  const row = (message, { first, last, state, retry }) => {
    const { kind, name } = message.sender ?? {};
    const mine = isMine(message);
    if (kind === "system") return h("div", { class: "note" }, ...content(message));
    const bubble = h("div", { class: `bubble ${message.type}` }, ...content(message));
    if (message.ai || message.translated_from) load("./answers.js").then(({ dress }) => dress(chat, bubble, message));
    const at = new Date(message.created_at);
    // Whose word stands for a day: see codes.js.
    const person = kind === "agent" && !message.ai && Date.now() - +at < DAY && "person";
    const time = at.toLocaleTimeString(settings.language, { timeStyle: "short" });
    return h(
      "div",
      { class: `row ${mine ? "mine" : "theirs"} ${first ? "first" : ""} ${message.state ?? ""} ${person || ""}` },
      h("span", { class: first && !mine ? "who" : "hear" }, mine ? t.you : name),
      bubble,
      (last || state) && h("div", { class: "meta" }, time, state && ` · ${state} `, retry),
    );
  };

  const face = ({ name = "", avatar_url }) =>
    picture(avatar_url, "face", "", h("span", { class: "face", "aria-hidden": "true" }, [...name][0]));

  const near = (a, b) => a && b && a.sender.kind === b.sender.kind && a.sender.name === b.sender.name;

  const drawLog = () => {
    const items = thread.items();
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
    const note = (key, text) => show(key, text, () => h("div", { class: "note" }, text));
    const greeting = settings.ai?.greeting ?? settings.widget_greeting;
    if (greeting) show("greeting", greeting, () => row({ body: greeting, sender: {} }, {}));
    else if (!items.length) note("greeting", settings.online ? t.online : t.offline);
    const lastMine = items.findLast(isMine);
    const steps = settings.steps.slice();
    const tellSteps = (id = Infinity) => {
      while (steps[0]?.after_message_id < id) {
        const { id, kind, name } = steps.shift();
        note(`step ${id}`, name ? `${t[kind]} · ${name}` : t[kind]);
      }
    };
    let day;
    items.forEach((item, index) => {
      tellSteps(item.id);
      const at = new Date(item.created_at);
      const year = at.getFullYear() === new Date().getFullYear() ? undefined : "numeric";
      const date = at.toLocaleDateString(settings.language, { day: "numeric", month: "long", year });
      const first = date !== day || !near(items[index - 1], item);
      if (date !== day) note(date, date);
      day = date;
      const last = !near(item, items[index + 1]);
      const state = item.state ? t[item.state] + (item.progress ?? "") : item === lastMine ? (item.seen_at ? t.seen : t.sent) : item.edited;
      show(item.key, JSON.stringify([item, first, last, state]), () => {
        const retry = item.failed
          ? h("button", { onclick: () => connection.retry(item.client_id) }, t.retry)
          : item.cancel && h("button", { onclick: () => connection.cancel(item.client_id) }, item.cancel);
        return row(item, { first, last, state, retry });
      });
    });
    tellSteps();
    // A chat that ended begins anew with the next message.
    const first = (!items.length || settings.steps.at(-1)?.kind === "closed") && begin();
    if (first && first.firstChild) show("begin", "", () => first);
    if (!settings.online && settings.closed_text) note("closed", settings.closed_text);
    if (!settings.online && settings.back_at && lastMine) {
      /** @type {Intl.DateTimeFormatOptions} */
      const at = { weekday: "long", hour: "2-digit", minute: "2-digit" };
      note("back", `${t.back} ${new Date(settings.back_at).toLocaleString(settings.language, at)}`);
    }
    if (form) show("away", "", () => form);
    else if (chat.line) show("reach", chat.told, () => chat.line);
    for (const [key, { node }] of rows) if (!shown.has(key)) node.remove();
    [...shown.values()].forEach(({ node }, index) => {
      if (list.children[index] !== node) list.insertBefore(node, list.children[index]);
    });
    rows = shown;
  };

  /** Who writes while nobody is there is asked, below the messages, how they are reached. */
  const askContacts = () => {
    const { features, online } = settings;
    const isMissed =
      !online && features.offline_form && thread.items().some((each) => each.id && isMine(each)) && !storage.get("left") && !connection.knowsAddress();
    if (holds || !!isMissed === asksContacts) return;
    asksContacts = !asksContacts;
    if (!asksContacts) form = null;
    else
      load("./forms.js").then(({ away }) => {
        if (asksContacts) form = away(chat);
        draw();
      });
  };

  /** What a chat begins with: a department to choose, phrases to send. */
  const begin = () => {
    const { ai, departments, widget_show_departments } = settings;
    const choose = ({ target }) => (department_id = +target.value || undefined);
    const option = ({ id, name }) => h("option", { value: id }, name);
    return h(
      "div",
      { class: "begin" },
      widget_show_departments &&
        departments[1] &&
        h("select", { "aria-label": t.department, onchange: choose }, ...[{ id: "", name: t.department }, ...departments].map(option)),
      ...(ai?.quick_phrases ?? []).map((body) => h("button", { onclick: () => send({ type: "text", body }) }, body)),
    );
  };

  const draw = () => {
    const { online, present, operators_display_mode: mode } = settings;
    const shown = mode === "hidden" ? [] : present.slice(0, 3);
    const names = mode === "faces" ? "" : shown.map(({ name }) => name).join(", ");
    const more = names && present[3] ? ` +${present.length - 3}` : "";
    faces.replaceChildren(...(mode === "names" ? [] : shown).map(face));
    status.hidden = !settings.widget_show_status;
    status.className = online ? "online" : "";
    status.textContent = online ? names + more || t.online : t.offline;
    lost.textContent = connection.lost
      ? t.lost
      : connection.slowed
        ? t.slow.replace("#", connection.slowed)
        : input.value.length > LONGEST
          ? t.long
          : connection.refused;
    askContacts();
    const mine = thread.items().findLast(isMine);
    const { mode: mails = "off", state } = chat.letters ?? {};
    const isNews = state !== "none" || !online || mine?.body.includes("@") || Date.now() - +new Date(mine?.created_at) > PATIENCE;
    if (mine?.id && mails !== "off" && isNews) load("./letters.js").then(({ tell }) => tell(chat, draw));
    drawLog();
    const read = app.isOpen() && !panel.hidden && !document.hidden && thread.markRead();
    if (read) connection.tell("seen", { message_id: read });
    const unread = thread.unread();
    if (!unread || app.isOpen()) chat.preview?.remove();
    app.setUnread(unread);
    drawTitle(unread);
  };

  const drawTitle = (unread) => {
    const next = document.hidden && unread && settings.widget_show_title_count ? `(${unread}) ` : "";
    if (next === mark) return;
    document.title = next + (document.title.startsWith(mark) ? document.title.slice(mark.length) : document.title);
    mark = next;
  };

  /** @param {{state?: string, name?: string}} typed */
  const showTyping = ({ state, name = "" }) => {
    clearTimeout(typingEnds);
    const started = state === "start" && settings.widget_show_typing;
    typing.textContent = started ? `${name} ${t.typing}` : "";
    if (started) typingEnds = setTimeout(() => showTyping({}), TYPING_LASTS);
  };

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
    if (!body || body.length > LONGEST) return;
    input.value = "";
    tellTyping();
    send({ type: "text", body });
  };

  const send = (content, complete) => {
    rating.replaceChildren();
    connection.send({ ...content, department_id }, complete);
    setTimeout(draw, PATIENCE + 1);
    department_id = undefined;
    log.scrollTop = 0;
  };

  const take = (files) => load("./files.js").then(({ takeFiles }) => takeFiles(chat, files));

  const onKey = (event) => {
    if (event.key === "Escape" && !event.isComposing) app.close();
    if (event.key !== "Tab") return;
    const all = panel.querySelectorAll("a[href], button, input, select, textarea, .log");
    const stops = [...all].filter((node) => node.checkVisibility());
    const [from, to] = event.shiftKey ? [stops[0], stops.at(-1)] : [stops.at(-1), stops[0]];
    if (event.target !== from && event.target !== panel) return;
    event.preventDefault();
    to.focus();
  };

  const attaching = () => {
    if (!settings.features.files) return [];
    const chooser = h("input", { type: "file", multiple: "", hidden: "" });
    chooser.onchange = () => {
      take([...chooser.files]);
      chooser.value = "";
      input.focus();
    };
    const choose = { type: "button", title: t.attach, "aria-label": t.attach, onclick: () => chooser.click() };
    return [chooser, h("button", choose, icon(CLIP))];
  };

  const dropped = (event) => {
    const { files, types } = event.dataTransfer;
    if (!types.includes("Files")) return;
    // Else the browser leaves the page for the file.
    event.preventDefault();
    if (!settings.features.files) return;
    panel.classList.toggle("drop", event.type === "dragover");
    if (event.type === "drop") take([...files]);
  };

  const pasted = ({ clipboardData: { files, types } }) => {
    // Office programs add a picture to a text.
    if (settings.features.files && files.length && !types.includes("text/plain")) take([...files]);
  };

  /** Makes the panel, in the language of the settings. */
  const build = () => {
    const hidden = panel?.hidden ?? true;
    panel?.remove();
    rows = new Map();
    form = null;
    asksContacts = false;
    const { widget_name: title, widget_signature: signature } = settings;
    faces = h("div", { class: "faces" });
    status = h("p");
    lost = h("p", { class: "lost", role: "status" });
    list = h("div");
    const heard = { class: "log", role: "log", tabindex: 0, "aria-label": t.log, "aria-relevant": "additions" };
    log = h("div", heard, list);
    // It is laid out from its end: further up is negative.
    log.onscroll = () => log.scrollHeight + log.scrollTop - log.clientHeight < 300 && connection.older();
    typing = h("p", { class: "typing", role: "status" });
    rating = h("div", { class: "rating" });
    input = h("textarea", {
      rows: 1,
      placeholder: t.write,
      "aria-label": t.write,
      oninput: tellTyping,
      onpaste: pasted,
      // `key` is Enter while an input method composes; the code is not.
      onkeydown: (event) => event.keyCode === 13 && !event.shiftKey && write(event),
    });
    input.value = storage.get("draft") ?? "";
    const dialog = { class: "panel", role: "dialog", "aria-label": title, tabindex: -1, onkeydown: onKey };
    panel = h(
      "section",
      { ...dialog, ondragover: dropped, ondragleave: dropped, ondrop: dropped },
      h(
        "div",
        { class: "head" },
        faces,
        h("div", null, h("h2", null, h("bdi", null, title)), signature && h("p", null, h("bdi", null, signature)), status),
        h("button", { "aria-label": t.close, onclick: app.close }, icon(CROSS)),
      ),
      lost,
      log,
      typing,
      rating,
      h("form", { class: "composer", onsubmit: write }, ...attaching(), input, h("button", { "aria-label": t.send }, icon(PLANE))),
    );
    panel.hidden = hidden;
    frame.append(panel);
    Object.assign(chat, { panel, log, rating, input, t });
    const { messengers, widget_show_messengers } = settings;
    const header = panel.firstChild;
    if (widget_show_messengers && messengers?.[0]) load("./messengers.js").then(({ links }) => header.append(links(chat, messengers)));
    if (settings.widget_show_lang_switcher && settings.languages[1])
      load("./extras.js").then(({ languages }) => header.insertBefore(languages(chat), header.children[2]));
    if (settings.email_codes) load("./codes.js").then(({ offer }) => offer(chat));
    draw();
  };

  const asksRating = async () => {
    if (!settings.features.rating) return;
    const [{ askRating }, forms] = await Promise.all([load("./rating.js"), load("./forms.js")]);
    askRating(chat, forms);
  };

  const present = ({ online, present = [], steps }) => {
    Object.assign(settings, { online, present });
    if (steps) settings.steps = steps;
  };
  const amend = ({ message }) => load("./extras.js").then(({ amend }) => amend(chat, message, draw));
  const reactions = {
    message(message) {
      if (isMine(message)) return;
      if (message.edited_at || !message.body) amend({ message });
      showTyping({});
      const isUnseen = thread.unread() && (!app.isOpen() || document.hidden);
      if (isUnseen) load("./extras.js").then(({ announce }) => announce(chat, message, isLive));
    },
    session(data) {
      isLive = false;
      chat.letters = data.letters;
      present(data);
    },
    ready(data) {
      isLive = true;
      present(data);
    },
    typing: showTyping,
    "chat.moved": () => thread.reset((settings.steps = [])),
    "chat.step": (step) => settings.steps.push(step),
    "message.updated": amend,
    "message.seen": ({ message_id }) => thread.markSeen(message_id),
    "agent.presence"(data) {
      present(data);
      clearTimeout(asked);
      asked = setTimeout(() => app.refresh().then(draw).catch(() => {}), Math.random() * 2000);
    },
    "rating.requested": asksRating,
    "rating.created": () => rating.querySelector("form:not([data-rated])")?.remove(),
  };
  const connection = new Connection(app, thread, (type, data) => {
    reactions[type]?.(data);
    if (type === "message" || type === "identified") fire(type, data);
    draw();
  });

  const hold = (isHeld) => {
    holds = isHeld;
    draw();
  };
  const chat = { ...app, thread, connection, content, send, hold };
  build();
  document.addEventListener("visibilitychange", draw);
  // Seen, or written, in another tab.
  addEventListener("storage", draw);
  // An on-screen keyboard takes height unknown to CSS.
  const resize = () => {
    const { height, offsetTop } = /** @type {VisualViewport} */ (visualViewport);
    frame.style.setProperty("--height", `${height}px`);
    frame.style.setProperty("--top", `${offsetTop}px`);
  };
  for (const type of ["resize", "scroll"]) visualViewport?.addEventListener(type, resize);
  if (connection.isKnown() || thread.next()) connection.start();

  return {
    show(quietly) {
      panel.hidden = false;
      connection.start();
      draw();
      if (!quietly) input.focus();
    },
    hide() {
      const inside = panel.matches(":focus-within");
      panel.hidden = true;
      draw();
      if (inside) app.launcher.focus();
    },
    speak(other) {
      t = other;
      build();
    },
    identify: (person) => connection.identify(person),
    reset() {
      connection.reset();
      build();
      if (app.isOpen()) connection.start();
    },
  };
};
