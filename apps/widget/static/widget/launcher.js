const PHONE = matchMedia("(max-width: 480px), (pointer: coarse) and (max-height: 480px)");
const DARK = matchMedia("(prefers-color-scheme: dark)");
const STILL = matchMedia("(prefers-reduced-motion)");
const SIZES = { 50: 48, 75: 56, 100: 64 };
const EVENTS = ["ready", "open", "close", "message", "unread", "rating", "language", "identified", "error"];
// What happens in here is none of the page's: its shortcuts, focus traps, smooth scrolling, rules on copying.
const OWN_EVENTS =
  "keydown keypress keyup beforeinput input focusin focusout pointerdown mousedown mouseup pointerup click wheel touchstart touchmove touchend copy cut paste contextmenu selectstart dragstart dragenter dragover dragleave drop";
const PLACES = ["offset_x", "offset_y", "chat_offset_x", "chat_offset_y", "chat_width", "chat_height"];

// Rules of the page win over the host's.
const styles = `
:host { all: initial !important; display: contents !important; }
@media print { :host { display: none !important; } }
.frame { position: fixed; z-index: var(--z); bottom: 0; right: 0; color: var(--text); font: 15px/1.45 system-ui, sans-serif; --bad: #b3261e; --focus: var(--text); }
.dark { --bad: #ff8a80; }
.left { right: auto; left: 0; }
[hidden] { display: none !important; }
* { box-sizing: border-box; margin: 0; font: inherit; color: inherit; }
button { background: none; border: 1px solid transparent; border-radius: 10px; padding: 6px 10px; cursor: pointer; }
svg { width: 24px; display: block; fill: currentColor; fill-rule: evenodd; }
:focus-visible { outline: 2px solid var(--focus); outline-offset: 2px; }
.launcher {
  position: absolute; bottom: min(var(--offset_y) + var(--lift, 0px), 100dvh - var(--size) - 8px); right: min(var(--offset_x), 100vw - var(--size) - 8px);
  width: var(--size); height: var(--size); display: grid; place-items: center; padding: 0; border-radius: 50%;
  background: var(--accent); color: var(--accent_text); box-shadow: 0 6px 24px #0004; transition: transform .15s;
}
.left .launcher { right: auto; left: min(var(--offset_x), 100vw - var(--size) - 8px); }
.launcher:hover { transform: scale(1.05); }
.launcher:focus-visible { outline-color: var(--surface); outline-offset: 0; box-shadow: 0 0 0 5px var(--text); }
.icon { width: 48%; }
img.icon { width: 100%; height: 100%; object-fit: contain; border-radius: 50%; }
.spin { animation: spin 6s linear infinite; }
.spiral { animation: spin 6s linear infinite, breathe 3s ease-in-out infinite; }
@keyframes spin { to { rotate: 360deg; } }
@keyframes breathe { 50% { scale: .8; } }
.badge { position: absolute; top: -4px; inset-inline-end: -4px; min-width: 22px; border-radius: 11px; background: #b3261e; color: #fff; font: 600 12px/22px system-ui; }
@media (prefers-reduced-motion) { * { animation: none !important; transition: none !important; } }
`;

/** An element with attributes, listeners (`on…`) and children; strings become text. */
const h = (tag, attributes, ...children) => {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (value != null) node.setAttribute(name, value);
  }
  node.append(...children.filter(Boolean));
  return node;
};

const icon = (path) => {
  const [svg, line] = ["svg", "path"].map((tag) => document.createElementNS("http://www.w3.org/2000/svg", tag));
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  line.setAttribute("d", path);
  svg.append(line);
  return svg;
};

const sheetOf = (rules) => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(rules);
  return sheet;
};

/** What a browser keeps of one widget, in `localStorage` or `sessionStorage`. */
class Storage {
  // A plain object serves pages that may not store.
  #store = {};
  #prefix;

  constructor(guid, area) {
    this.#prefix = `parley:${guid}:`;
    try {
      // Null in web views without DOM storage.
      this.#store = window[area] ?? this.#store;
    } catch {}
  }

  get(key) {
    try {
      return JSON.parse(this.#store[this.#prefix + key]);
    } catch {}
  }

  put(key, text) {
    try {
      this.#store[this.#prefix + key] = text;
    } catch {}
  }

  /** Null forgets. */
  set(key, value) {
    if (value !== null) return this.put(key, JSON.stringify(value));
    try {
      delete this.#store[this.#prefix + key];
    } catch {}
  }

  keys(start) {
    const names = Object.keys(this.#store).filter((name) => name.startsWith(this.#prefix + start));
    return names.map((name) => name.slice(this.#prefix.length)).sort();
  }
}

/** Puts the launcher on the page; gives what `window.Parley` calls (docs/guides/embedding.md). */
export const start = ({ config, settings, fire: tell, again, read }) => {
  const fire = settings.api_enabled ? tell : () => {};
  const own = new Storage(config.guid, "localStorage");
  const visit = new Storage(config.guid, "sessionStorage");
  const letter = location.hash.split("#letter=")[1];
  if (letter) {
    visit.keys("").map((key) => visit.set(key, null));
    visit.set("letter", letter);
    visit.set("own", own.get("token"));
    history.replaceState(null, "", location.href.split("#")[0]);
  }
  // What a letter opens lives in this tab, beside the browser's own visitor.
  const storage = visit.get("letter") ? visit : own;
  const modules = {};
  let isOpen = false;
  let unread = 0;
  let drawn, starting, chat;

  const fetchModule = async (name) => {
    for (let attempt = 0; ; attempt++) {
      try {
        return await import(attempt ? `${name}?${attempt}` : name);
      } catch {
        await again(attempt);
      }
    }
  };
  const load = (name) => (modules[name] ??= fetchModule(name));

  // Not a defined element: a page may hold two installations.
  const host = document.createElement("parley-widget");
  const root = host.attachShadow({ mode: "open" });
  root.adoptedStyleSheets = [sheetOf(styles)];
  for (const type of OWN_EVENTS.split(" ")) root.addEventListener(type, (event) => event.stopPropagation());
  const styled = new Set();
  const badge = h("span", { class: "badge" });
  const launcher = h("button", { class: "launcher", "aria-haspopup": "dialog", onclick: () => open() }, badge);
  const frame = root.appendChild(h("div", null, launcher));

  const drawIcon = ({ icon: { path, url, still_url }, icon_custom_animated: motion }) => {
    const src = STILL.matches ? still_url : url;
    if (drawn === (drawn = `${src ?? path} ${motion}`)) return;
    const image = src ? h("img", { src, alt: "" }) : icon(path);
    image.setAttribute("class", `icon ${motion}`);
    launcher.replaceChildren(image, badge);
  };

  /** Draws what the settings say, on this device and in this colour scheme. */
  const draw = () => {
    const phone = PHONE.matches;
    const values = { ...settings, ...settings.device_profiles?.[phone ? "mobile" : "desktop"] };
    const wanted = values.widget_color_scheme;
    const scheme = wanted === "auto" ? (DARK.matches ? "dark" : "light") : wanted;
    frame.className = `frame ${values.widget_position} ${scheme} ${phone ? "phone" : ""}`;
    frame.dir = settings.direction;
    frame.lang = settings.language;
    const set = (name, value) => frame.style.setProperty(name, value);
    set("color-scheme", scheme);
    set("--z", values.widget_z_index);
    set("--size", `${SIZES[values.widget_button_size]}px`);
    for (const name of PLACES) set(`--${name}`, `${values[`widget_${name}`]}px`);
    for (const [name, colour] of Object.entries(settings.theme[scheme])) set(`--${name}`, colour);
    drawIcon(values);
    launcher.hidden = (isOpen && !!chat) || !values.widget_show_launcher;
    launcher.setAttribute("aria-expanded", isOpen);
    badge.textContent = unread || "";
    const { texts } = settings;
    launcher.setAttribute("aria-label", unread ? `${texts.open}, ${unread} ${texts.unread}` : texts.open);
  };

  const style = (rules) => {
    if (!styled.has(rules)) root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheetOf(rules)];
    styled.add(rules);
  };
  const app = {
    config, settings, storage, visit, load, fire, h, icon, style, frame, launcher,
    isOpen: () => isOpen,
    open: () => open(),
    close: () => close(),
    setLanguage: (code) => setLanguage(code),
    setUnread(count) {
      if (count === unread) return;
      unread = count;
      fire("unread", count);
      draw();
    },
    async refresh() {
      Object.assign(settings, await read());
      draw();
    },
  };

  const startChat = () =>
    (starting ??= Promise.all([
      load("./chat.js"), load("./connection.js"), load("./styles.js"), load("../chats/links.js"), load(settings.texts_url),
    ]).then(([{ startChat }, connection, { rules }, { parts }, { texts }]) => {
      style(rules);
      return (chat = startChat(app, connection, parts, texts));
    }));

  const open = async (quietly) => {
    if (isOpen) return;
    isOpen = true;
    visit.set("open", true);
    const view = await startChat();
    if (!isOpen) return;
    draw();
    view.show(quietly);
    fire("open");
  };

  const close = () => {
    if (!isOpen) return;
    isOpen = false;
    visit.set("open", null);
    draw();
    chat?.hide();
    fire("close");
  };

  const warn = (said) => console.warn(`Parley: ${said}`);
  const isObject = (given, name) => (given && typeof given === "object") || warn(`${name}({…}) takes an object`);

  const setLanguage = async (code) => {
    // As it is: the loader reads it.
    storage.put("lang", code);
    await app.refresh();
    if (settings.language !== code) {
      storage.set("lang", null);
      warn(`no language ${code}`);
    }
    if (chat) chat.speak((await load(settings.texts_url)).texts);
    fire("language", settings.language);
  };

  for (const media of [PHONE, DARK, STILL]) media.addEventListener("change", draw);
  // Turbo keeps copies of pages, and puts a new body in the old one's place.
  host.setAttribute("data-turbo-temporary", "");
  const watcher = new MutationObserver(() => stay());
  const stay = () => {
    const { documentElement } = document;
    // Beside the body: what transforms, filters or hides that, moves no window's corner.
    if (!host.isConnected) documentElement.append(host);
    watcher.observe(documentElement, { childList: true });
  };
  draw();
  stay();
  fire("ready");
  // After the launcher has been painted.
  setTimeout(() => {
    if (letter) open();
    else if (visit.get("open") && !PHONE.matches) open(true);
    else if (storage.get("token") || document.cookie.includes(`parley_${config.guid}`) || storage.keys("queue:").length) startChat();
  });
  // Another launcher may come late.
  setTimeout(() => {
    const { x, y, width } = launcher.getBoundingClientRect();
    const there = document.elementsFromPoint(x + width / 2, y + width / 2).filter((node) => node !== host);
    if (there.some((node) => node.shadowRoot || getComputedStyle(node).position === "fixed"))
      load("./extras.js").then(({ dodge }) => dodge(app, there));
  }, 4e3);

  const calls = {
    open: () => open(),
    close,
    toggle: () => (isOpen ? close() : open()),
    identify: async (person) => isObject(person, "identify") && (await startChat()).identify(person),
    setAttributes: async (attributes) =>
      isObject(attributes, "setAttributes") && (await startChat()).identify({ attributes }),
    setLanguage,
    hears: ([event, f]) => (f?.call && EVENTS.includes(event)) || warn(`on(event, f): ${EVENTS}`),
    async reset() {
      for (const key of storage.keys("")) storage.set(key, null);
      (await starting)?.reset();
    },
  };
  if (settings.api_enabled) return calls;
  let warned;
  const refuse = () => {
    if (!warned) warn("the API of this widget is switched off.");
    warned = true;
  };
  return { ...Object.fromEntries(Object.keys(calls).map((name) => [name, refuse])), hears: calls.hears };
};
