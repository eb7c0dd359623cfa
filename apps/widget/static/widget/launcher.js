const PHONE = matchMedia("(max-width: 480px), (pointer: coarse) and (max-height: 480px)");
const DARK = matchMedia("(prefers-color-scheme: dark)");
const STILL = matchMedia("(prefers-reduced-motion)");
// Milliseconds: later than any page that is alive.
const HYDRATES_WITHIN = 1e4;
// Events of a page that wait for the module that counts them.
const MOST_TRACKED = 999;
const EVENTS = "ready open close message unread rating language identified invitation questions article error".split(" ");
// These events stay in here: a page has shortcuts, focus traps, smooth scrolling, rules on copying.
const OWN_EVENTS = "keydown keypress keyup focusin focusout pointerdown mousedown mouseup pointerup click touchstart touchend";
const PLACES = ["offset_x", "offset_y", "chat_offset_x", "chat_offset_y", "chat_width", "chat_height"];

// Rules of the page win over the host's.
const styles = `
:host { all: initial !important; display: contents !important; }
@media print { :host { display: none !important; } }
.frame { position: fixed; z-index: var(--z); bottom: 0; right: 0; color: var(--text); --focus: var(--text); --shade: color-mix(in srgb, light-dark(var(--text), var(--surface)) 25%, transparent); }
.left { right: auto; left: 0; }
[hidden] { display: none !important; }
* { box-sizing: border-box; margin: 0; font: inherit; color: inherit; }
button { background: none; border: 1px solid transparent; border-radius: var(--p-r-m); cursor: pointer; }
svg { width: 24px; display: block; fill: currentColor; fill-rule: evenodd; }
:focus-visible { outline: 2px solid var(--focus); outline-offset: 2px; }
.launcher {
  position: absolute; bottom: min(var(--offset_y) + var(--lift, 0px), 100dvh - var(--size) - 8px); right: min(var(--offset_x), 100vw - var(--size) - 8px);
  width: var(--size); height: var(--size); display: grid; place-items: center; padding: 0; border-radius: 50%;
  background: var(--accent); color: var(--accent_text); box-shadow: 0 calc(var(--size) / 10) calc(var(--size) / 3) var(--shade); transition: transform .15s;
}
.left .launcher { right: auto; left: min(var(--offset_x), 100vw - var(--size) - 8px); }
.launcher:hover { transform: scale(1.05); }
.launcher:focus-visible { box-shadow: 0 0 0 2px var(--surface); }
.icon { width: 48%; }
img.icon { width: 100%; height: 100%; object-fit: contain; border-radius: 50%; }
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
  const make = (tag) => document.createElementNS("http://www.w3.org/2000/svg", tag);
  const svg = make("svg");
  const line = make("path");
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

/** The values that a browser keeps for one widget, in `localStorage` or `sessionStorage`. */
class Storage {
  // A plain object serves pages that may not store.
  #store = {};
  #prefix;
  #area;
  isKept;

  constructor({ guid, off }, area) {
    this.#prefix = `parley:${guid}:`;
    this.#area = area;
    if (!off) this.keep(true);
  }

  /** From now on in the browser; or only while the page lives, and nothing stays in the browser. @param {boolean} [isKept] */
  keep(isKept) {
    this.isKept = isKept;
    const known = this.keys("").map((key) => [key, this.#store[this.#prefix + key]]);
    try {
      // Null in web views without DOM storage.
      this.#store = window[this.#area] ?? {};
    } catch {
      this.#store = {};
    }
    if (!isKept) {
      for (const key of this.keys("")) this.set(key, null);
      this.#store = {};
    }
    for (const [key, text] of known) this.set(key, 0, text);
  }

  get(key) {
    try {
      return JSON.parse(this.#store[this.#prefix + key]);
    } catch {}
  }

  /** Null forgets. */
  set(key, value, text = JSON.stringify(value)) {
    try {
      if (value === null) delete this.#store[this.#prefix + key];
      else this.#store[this.#prefix + key] = text;
    } catch {}
  }

  keys(start) {
    const names = Object.keys(this.#store).filter((name) => name.startsWith(this.#prefix + start));
    return names.map((name) => name.slice(this.#prefix.length)).sort();
  }
}

/** The launcher in an element of its own, which no rule of the page meets; `stay` keeps that on the page. */
const stand = () => {
  // Not a defined element: a page may hold two installations.
  const host = document.createElement("parley-widget");
  const root = host.attachShadow({ mode: "open" });
  root.adoptedStyleSheets = [sheetOf(styles)];
  const keepIn = (types) => types.split(" ").map((type) => root.addEventListener(type, (event) => event.stopPropagation()));
  keepIn(OWN_EVENTS);
  const styled = {};
  const badge = h("span", { class: "badge" });
  const launcher = h("button", { class: "launcher", "aria-haspopup": "dialog" }, badge);
  const frame = root.appendChild(h("div", null, launcher));
  // Turbo keeps copies of pages, and puts a new body in the old one's place.
  host.setAttribute("data-turbo-temporary", "");
  /** @type {any} */
  let isBeside;
  const stay = () => {
    const { body, documentElement: page } = document;
    const put = (home) => host.parentNode === home || home.append(host);
    if (body && !isBeside) {
      // While React may hydrate the whole page: it takes no notice of the body's last child.
      put(body);
      isBeside = host.inert || host.ariaHidden || Math.abs(frame.getBoundingClientRect().bottom - innerHeight) > 40;
    }
    // A body that is transformed, filtered or hidden is no window's corner.
    if (isBeside) put(page);
    for (const node of [document, page, body, host]) if (node) watcher.observe(node, { childList: true, attributes: true });
  };
  const watcher = new MutationObserver(stay);
  setTimeout(() => {
    isBeside = true;
    stay();
  }, HYDRATES_WITHIN);
  const style = (rules) => {
    if (!styled[rules]) root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheetOf(rules)];
    styled[rules] = true;
  };
  return { host, badge, launcher, frame, keepIn, stay, style };
};

/** Draws the launcher by the settings, on this device and in this colour scheme. */
const painter = ({ badge, frame, launcher, load, settings, style }) => {
  let drawn;
  const drawIcon = ({ icon: { path, url, still_url }, icon_custom_animated: motion }) => {
    const src = STILL.matches ? still_url : url;
    if (drawn === (drawn = `${src ?? path} ${motion}`)) return;
    const image = src ? h("img", { src, alt: "" }) : icon(path);
    image.setAttribute("class", `icon ${motion}`);
    launcher.replaceChildren(image, badge);
    if (/sp/.test(motion)) load("./extras.js").then(({ motions }) => style(motions));
  };
  const set = (name, value) => frame.style.setProperty(name, value);
  /** @param {boolean} isOpen @param {boolean} isCovered By the chat. @param {number} unread */
  return (isOpen, isCovered, unread) => {
    const phone = PHONE.matches;
    const values = { ...settings, ...settings.device_profiles?.[phone ? "mobile" : "desktop"] };
    const wanted = values.widget_color_scheme;
    const scheme = wanted === "auto" ? (DARK.matches ? "dark" : "light") : wanted;
    frame.className = `frame ${values.widget_position} ${scheme} ${phone ? "phone" : ""}`;
    frame.dir = settings.direction;
    frame.lang = settings.language;
    set("color-scheme", scheme);
    set("--z", values.widget_z_index);
    // 48, 56 or 64 pixels of 50, 75 or 100.
    set("--size", `${32 + 0.32 * values.widget_button_size}px`);
    for (const name of PLACES) set(`--${name}`, `${values[`widget_${name}`]}px`);
    for (const [name, colour] of Object.entries(settings.theme[scheme])) set(`--${name}`, colour);
    drawIcon(values);
    launcher.hidden = isCovered || !values.widget_show_launcher;
    launcher.setAttribute("aria-expanded", isOpen);
    badge.textContent = unread || "";
    const { texts } = settings;
    launcher.setAttribute("aria-label", unread ? `${texts.open}, ${unread} ${texts.unread}` : texts.open);
  };
};

/** Imports each module once, again and again until it is there. */
const loader = (again) => {
  const modules = {};
  const fetchModule = (name, attempt) =>
    import(attempt ? `${name}?${attempt}` : name).catch(() => again(attempt).then(() => fetchModule(name, attempt + 1)));
  return (name) => (modules[name] ??= fetchModule(name, 0));
};

/** The storages of the browser; a letter's visitor has only this tab's. */
const memory = (config) => {
  const own = new Storage(config, "localStorage");
  const visit = new Storage(config, "sessionStorage");
  return { own, visit, storage: visit.get("letter") ? visit : own };
};

/** The calls of a page; of a widget whose API is switched off, their refusal. */
const callsOf = (app) => {
  const { config, load, own, settings, tracked, visit } = app;
  const calls = {
    open: () => app.open(),
    close: app.close,
    toggle: () => (app.isOpen() ? app.close() : app.open()),
    setLanguage: app.setLanguage,
    hears: ([event, f]) => (f?.call && EVENTS.includes(event)) || console.warn(`Parley: on(event, f): ${EVENTS}`),
    reset() {
      app.forget();
      app.chat?.then((chat) => chat.reset());
    },
    // Where no invitation is live, nothing counts.
    track: (...event) => settings.invitations && tracked.push(event) > MOST_TRACKED && tracked.shift(),
  };
  for (const name of "identify setAttributes showInvitation whyNot openArticle".split(" ")) calls[name] = (given) => app.who(name, given);
  if (!settings.api_enabled) for (const name in calls) if (name !== "hears") calls[name] = () => app.who("refuse");
  // The loader has noted which. It is the visitor's right, not the page's API.
  calls.consent = () => {
    if (!config.off) return own.isKept || load("./consent.js").then(({ agree }) => agree(app));
    own.keep();
    visit.keep();
    dropCookie(app);
  };
  return calls;
};

/** Begins without a call: a chat that there is goes on, the launcher makes room for another. */
const begin = (app) => {
  const { frame, goOn, host, invite, known, launcher, load, settings, storage } = app;
  // Escape, of a chat that is on its way, too; the code is another one while an input method composes.
  frame.onkeydown = ({ keyCode }) => {
    if (keyCode === 27) app.close();
  };
  const token = location.hash.split("#parley-preview=")[1];
  if (token) load("./preview.js").then(({ look }) => look(app, token));
  else if (settings.invitations) setTimeout(invite, 2e3);
  // After the launcher has been painted.
  setTimeout(() => {
    const letter = location.hash.split("#letter=")[1];
    if (storage.get("ended")) app.who("end");
    if (letter) load("./letters.js").then(({ enter }) => enter(app, letter, known(), goOn));
    else goOn();
  });
  // Another launcher may come late.
  setTimeout(() => {
    const { x, y, width } = launcher.getBoundingClientRect();
    const there = document.elementsFromPoint(x + width / 2, y + width / 2).filter((node) => node !== host);
    if (there.some((node) => node.shadowRoot || getComputedStyle(node).position === "fixed"))
      load("./extras.js").then(({ dodge }) => dodge({ frame, launcher }, there));
  }, 4e3);
};

const dropCookie = ({ config, settings }) => (document.cookie = `parley_${config.guid}=;domain=${settings.widget_cookie_domain};path=/;max-age=0`);

/** Leaves nothing here of who used the page; their session ends, now or when there is a connection. */
const forget = (app) => {
  const { storage, visit } = app;
  // A letter's visitor has no cookie.
  const token = app.known() || storage.get("ended") || null;
  if (storage !== visit) dropCookie(app);
  for (const area of [storage, visit]) area.keys("").map((key) => area.set(key, null));
  app.person = null;
  // Other tabs see by it that somebody else may use them.
  storage.set("since", Math.random());
  storage.set("ended", token);
  app.who("end");
};

/** Puts the launcher on the page; gives the functions behind `window.Parley` (docs/guides/embedding.md). */
export const start = ({ config, settings, fire: tell, again, read }) => {
  const fire = settings.api_enabled ? tell : () => {};
  const parts = stand();
  const { launcher, style, stay } = parts;
  const load = loader(again);
  const paint = painter({ ...parts, load, settings });
  let isOpen = false;
  let chat;
  const drawLauncher = () => paint(isOpen, isOpen && !!chat, app.unread);
  /** @type {any} */
  const app = {
    ...parts, ...memory(config), config, settings, load, fire, read, h, icon, drawLauncher,
    unread: 0, tracked: [],
    isOpen: () => isOpen,
    async open(quietly) {
      if (isOpen) return;
      isOpen = true;
      app.visit.set("open", true);
      const view = await app.startChat();
      if (!isOpen || !view.panel.hidden) return; // closed meanwhile, or opened again
      drawLauncher();
      view.show(quietly === true);
      fire("open");
    },
    close() {
      if (!isOpen) return;
      isOpen = false;
      app.visit.set("open", null);
      drawLauncher();
      chat?.hide();
      fire("close");
    },
    startChat: () =>
      (app.chat ??= Promise.all([
        load("./chat.js"), load("./styles.js"), load("./tokens.js"), load("./connection.js"), load(settings.texts_url),
      ]).then(([{ startChat }, { rules }, { tokens }, ...modules]) => {
        style(tokens(".frame"));
        style(rules);
        return (chat = startChat(app, modules));
      })),
    invite: () => (app.invitations ??= load("./invitations.js").then(({ begin }) => begin(app))),
    goOn() {
      if (app.visit.get("open") && !PHONE.matches) app.open(true);
      else if (app.known() || app.storage.keys("queue:").length) app.startChat();
    },
    setLanguage: (code) => load("./extras.js").then(({ speak }) => speak(app, code)),
    who: (call, given) => load("./identity.js").then((module) => module[call](app, given)),
    /** The visitor's token; of a letter's, which no host of the site shares, this tab's. */
    known: () => (app.storage !== app.visit && !config.off && document.cookie.split(`parley_${config.guid}=`)[1]?.split(";")[0]) || app.storage.get("token"),
    forget: () => forget(app),
  };

  launcher.onclick = app.open;
  for (const media of [PHONE, DARK, STILL]) media.onchange = drawLauncher;
  drawLauncher();
  stay();
  fire("ready");
  begin(app);
  return callsOf(app);
};
