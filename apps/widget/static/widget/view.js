import { isMine, newId } from "./conversation.js";
import { styles } from "./styles.js";

const CHAT = "M6 3h12a3 3 0 0 1 3 3v8a3 3 0 0 1-3 3h-5l-5 4v-4H6a3 3 0 0 1-3-3V6a3 3 0 0 1 3-3z";
const PLANE = "M3 20.5L21 12 3 3.5V10l12 2-12 2z";
// Milliseconds.
const TYPING_LASTS = 8_000;
const TYPING_AGAIN = 5_500;

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

const safe = (url) => (/^https?:\/\//i.test(url) ? url : undefined);

const link = (url, className, ...children) =>
  h("a", { href: safe(url), class: className, target: "_blank", rel: "noopener noreferrer" }, ...children);

/** A picture, or `instead` where none loads. */
const picture = (url, className, alt, instead) => {
  if (!safe(url)) return instead;
  const image = h("img", { src: url, class: className, alt, onerror: () => image.replaceWith(instead) });
  return image;
};

const icon = (path) => {
  const [svg, line] = ["svg", "path"].map((tag) => document.createElementNS("http://www.w3.org/2000/svg", tag));
  svg.setAttribute("viewBox", "0 0 24 24");
  line.setAttribute("d", path);
  svg.append(line);
  return svg;
};

const linked = (text) =>
  text
    // With the brackets that begin in it.
    .split(/(https?:\/\/(?:\([^\s()<>"]*\)|[^\s()<>"])*(?:\([^\s()<>"]*\)|[^\s()<>"'.,;:!?\]}»”’]))/)
    .map((part, index) => (index % 2 ? link(part, null, part) : part));

const content = ({ type, body, name, url, file, coords, sticker, keyboard }) => {
  const parts = [];
  if (type === "image" || type === "file") {
    const label = file?.name ?? name;
    const size = file?.size > 0 && h("small", null, ` ${Math.ceil(file.size / 1024)} KB`);
    parts.push(link(url, null, type === "image" ? picture(url, type, label, label) : label, type === "file" && size));
  }
  if (type === "sticker") parts.push(picture(sticker?.url, type, "☺", "☺"));
  if (type === "location" && coords) {
    const { lat, lng } = coords;
    const map = `https://www.openstreetmap.org/?mlat=${lat}&mlon=${lng}#map=16/${lat}/${lng}`;
    parts.push(link(map, null, `📍 ${lat}, ${lng}`));
  }
  if (body) parts.push(h("span", { class: "text" }, ...linked(body)));
  for (const { label, url, style } of keyboard?.buttons ?? []) parts.push(link(url, `key ${style}`, label));
  return parts;
};

/** A message; `first` and `last` of its sender's run. */
const row = (message, { first, last, state, t, locale, retry }) => {
  const { kind, name } = message.sender ?? {};
  const mine = isMine(message);
  if (kind === "system") return h("div", { class: "note" }, ...content(message));
  const time = new Date(message.created_at).toLocaleTimeString(locale, { timeStyle: "short" });
  return h(
    "div",
    { class: `row ${mine ? "mine" : "theirs"} ${first ? "first" : ""} ${message.state ?? ""}` },
    h("span", { class: first && !mine ? "who" : "hear" }, mine ? t.you : name),
    h("div", { class: `bubble ${message.type}` }, ...content(message)),
    (last || state) && h("div", { class: "meta" }, time, state && ` · ${state} `, retry),
  );
};

const face = ({ name = "", avatar_url }) =>
  picture(avatar_url, "face", "", h("span", { class: "face", "aria-hidden": "true" }, [...name][0]));

/** The launcher and the chat; `app` is `{settings, thread, connection, fire, locale, t}`. */
export class ParleyWidget {
  #app;
  #rows = new Map();
  #typedAt = 0;
  #typingEnds;
  #files;

  constructor(app) {
    this.#app = app;
    const { t, settings, locale } = app;
    // Not a defined element: a page may hold two installations.
    this.host = document.createElement("parley-widget");
    const root = this.host.attachShadow({ mode: "open" });
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(styles);
    root.adoptedStyleSheets = [sheet];

    const title = settings.widget_name || t.log;
    this.badge = h("span", { class: "badge" });
    const opens = { class: "launcher", "aria-haspopup": "dialog", onclick: () => this.open() };
    this.launcher = h("button", opens, icon(CHAT), this.badge);
    this.faces = h("div", { class: "faces" });
    this.status = h("p");
    this.lost = h("p", { class: "lost", role: "status" });
    this.list = h("div");
    const heard = { class: "log", role: "log", tabindex: 0, "aria-label": t.log, "aria-relevant": "additions" };
    this.log = h("div", heard, this.list);
    this.typing = h("p", { class: "typing", role: "status" });
    this.rating = h("div", { class: "rating" });
    this.leave = this.#leaveForm();
    this.input = h("textarea", {
      rows: 1,
      maxlength: 10_000,
      placeholder: t.write,
      "aria-label": t.write,
      oninput: () => this.#tellTyping(),
      // `key` is Enter while an input method composes; the code is not.
      onkeydown: (event) => event.keyCode === 13 && !event.shiftKey && this.#write(event),
    });
    this.panel = h(
      "section",
      { class: "panel", role: "dialog", "aria-label": title, tabindex: -1, hidden: "", onkeydown: (e) => this.#key(e) },
      h(
        "header",
        null,
        this.faces,
        h("div", null, h("h2", null, title), h("p", null, settings.widget_signature), this.status),
        h("button", { "aria-label": t.close, onclick: () => this.close() }, "✕"),
      ),
      this.lost,
      this.log,
      this.typing,
      this.rating,
      this.leave,
      h(
        "form",
        { class: "composer", onsubmit: (event) => this.#write(event) },
        this.input,
        h("button", { "aria-label": t.send }, icon(PLANE)),
      ),
    );
    const dir = locale === "ar" ? "rtl" : "ltr";
    const frame = { lang: locale, dir, class: `frame ${settings.widget_position}` };
    const { style } = root.appendChild(h("div", frame, this.launcher, this.panel));
    for (const axis of ["x", "y"]) style.setProperty(`--${axis}`, `${settings[`widget_offset_${axis}`]}px`);
    style.setProperty("--size", `${{ 50: 48, 75: 56 }[settings.widget_button_size] ?? 64}px`);
    document.addEventListener("visibilitychange", () => this.draw());
    // An on-screen keyboard takes height unknown to CSS.
    visualViewport?.addEventListener("resize", () => style.setProperty("--height", `${visualViewport.height}px`));
  }

  open() {
    const { connection, fire, settings, t, thread } = this.#app;
    if (!this.panel.hidden) return;
    if (settings.features.files) {
      this.#files ??= import("./files.js").then(({ takeFiles }) => takeFiles(this, t, h, icon));
      this.#files.catch(() => (this.#files = null));
    }
    this.panel.hidden = false;
    this.launcher.hidden = true;
    this.leave.open = !thread.items().length;
    connection.start();
    this.draw();
    this.input.focus();
    fire("open");
  }

  close() {
    if (this.panel.hidden) return;
    const inside = this.panel.matches(":focus-within");
    this.panel.hidden = true;
    this.launcher.hidden = false;
    this.draw();
    if (inside) this.launcher.focus();
    this.#app.fire("close");
  }

  draw() {
    const { connection, fire, settings, t, thread } = this.#app;
    const { online, present, features } = settings;
    this.status.className = online ? "online" : "";
    const shown = present.slice(0, 3);
    const names = shown.map(({ name }) => name).join(", ");
    const more = present[3] ? ` +${present.length - 3}` : "";
    this.status.textContent = online ? names + more || t.online : t.offline;
    this.faces.replaceChildren(...shown.map(face));
    this.leave.hidden = online || !features.offline_form;
    this.lost.textContent = connection.lost ? t.lost : "";
    this.#drawLog();
    const read = !this.panel.hidden && !document.hidden && thread.markRead();
    if (read) connection.tell("seen", { message_id: read });
    const unread = thread.unread() || "";
    if (this.badge.textContent !== `${unread}`) fire("unread", +unread);
    this.badge.textContent = unread;
    this.launcher.setAttribute("aria-label", unread ? `${t.open}, ${unread} ${t.unread}` : t.open);
  }

  #drawLog() {
    const { connection, locale, settings, t, thread } = this.#app;
    const items = thread.items();
    const shown = new Map();
    const show = (key, version, build) => {
      let drawn = this.#rows.get(key);
      if (drawn?.version !== version) {
        const node = build();
        // The same element, so that a screen reader does not repeat it.
        if (drawn) {
          drawn.node.className = node.className;
          drawn.node.replaceChildren(...node.childNodes);
        }
        drawn = { version, node: drawn?.node ?? node };
      }
      shown.set(key, drawn);
    };
    const near = (a, b) => a && b && a.sender.kind === b.sender.kind && a.sender.name === b.sender.name;
    const greeting = settings.widget_greeting;
    if (greeting) show("greeting", greeting, () => row({ body: greeting, sender: {} }, { t }));
    const lastMine = items.findLast(isMine);
    let day;
    items.forEach((item, index) => {
      const date = new Date(item.created_at).toLocaleDateString(locale, { day: "numeric", month: "long" });
      const first = date !== day || !near(items[index - 1], item);
      if (date !== day) show(date, date, () => h("div", { class: "note" }, date));
      day = date;
      const last = !near(item, items[index + 1]);
      const state = item.state ? t[item.state] : item === lastMine && (item.seen_at ? t.seen : t.sent);
      show(item.key, JSON.stringify([item, first, last, state]), () => {
        const retry = item.failed && h("button", { onclick: () => connection.retry(item.client_id) }, t.retry);
        return row(item, { first, last, state, t, locale, retry });
      });
    });
    for (const [key, { node }] of this.#rows) if (!shown.has(key)) node.remove();
    const { list } = this;
    [...shown.values()].forEach(({ node }, index) => {
      if (list.children[index] !== node) list.insertBefore(node, list.children[index]);
    });
    this.#rows = shown;
  }

  showTyping({ state, name = "" }) {
    clearTimeout(this.#typingEnds);
    const started = state === "start";
    this.typing.textContent = started ? `${name} ${this.#app.t.typing}` : "";
    if (started) this.#typingEnds = setTimeout(() => this.showTyping({}), TYPING_LASTS);
  }

  async askRating() {
    const { askRating } = await import("./rating.js");
    askRating(this, this.#app.t, h);
  }

  /** A form sent to the call `path`. */
  form(path, ...children) {
    const { connection, t } = this.#app;
    const said = h("p", { role: "status" });
    const form = h("form", null, ...children, said);
    let client_id = newId();
    form.oninput = () => (client_id = newId());
    form.onsubmit = async (event, more) => {
      event.preventDefault();
      const fields = [...new FormData(form)].filter(([, value]) => value.trim());
      if (path === "offline") fields.push(["client_id", client_id]);
      form.inert = true;
      let wrong, why, error;
      try {
        await connection.post(path, { ...Object.fromEntries(fields), ...more });
      } catch (refused) {
        error = (await refused.json?.().catch(() => {})) ?? refused;
        [[wrong, why] = []] = Object.entries(error.errors ?? {});
      }
      form.inert = false;
      if (!error && !more) form.replaceChildren(said);
      said.textContent = error ? `${t[wrong] ?? ""} ${why ?? t.failed}` : t.thanks;
      (form.elements[wrong] ?? this.input).focus();
      return !error;
    };
    return form;
  }

  #leaveForm() {
    const { t } = this.#app;
    const field = (name, more, tag = "input") => h(tag, { name, placeholder: t[name], "aria-label": t[name], ...more });
    const form = this.form(
      "offline",
      field("name", { autocomplete: "name" }),
      field("email", { autocomplete: "email", type: "email" }),
      field("phone", { autocomplete: "tel", type: "tel" }),
      field("message", { rows: 2, required: "" }, "textarea"),
      h("button", { class: "key" }, t.done),
    );
    return h("details", null, h("summary", null, t.leave), form);
  }

  #write(event) {
    event.preventDefault();
    const body = this.input.value.trim();
    if (!body) return;
    this.input.value = "";
    this.#tellTyping();
    this.send({ type: "text", body });
  }

  send(content, complete) {
    this.rating.replaceChildren();
    this.leave.open = false;
    this.#app.connection.send(content, complete);
    this.log.scrollTop = 0;
  }

  #tellTyping() {
    const typing = this.input.value;
    if (typing && Date.now() - this.#typedAt < TYPING_AGAIN) return;
    this.#typedAt = typing ? Date.now() : 0;
    this.#app.connection.tell("typing", { state: typing ? "start" : "stop" });
  }

  #key(event) {
    // Not for the page's shortcuts.
    event.stopPropagation();
    if (event.key === "Escape" && !event.isComposing) this.close();
    if (event.key !== "Tab") return;
    const all = this.panel.querySelectorAll("a[href], button, input, textarea, summary, .log");
    const stops = [...all].filter((node) => node.checkVisibility());
    const [from, to] = event.shiftKey ? [stops[0], stops.at(-1)] : [stops.at(-1), stops[0]];
    if (event.target !== from && event.target !== this.panel) return;
    event.preventDefault();
    to.focus();
  }
}
