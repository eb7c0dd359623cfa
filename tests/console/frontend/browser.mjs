/** What the page's modules ask of a browser. A test imports it before them, and says what the server answers. */

import { mock } from "node:test";

/** Lets everything happen that awaits nothing but promises and the bodies of answers, which take some turns of the loop. */
export async function settle() {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

class Place {
  #kept = new Map();
  isFull = false;

  getItem(name) {
    return this.#kept.get(name) ?? null;
  }

  setItem(name, text) {
    if (this.isFull) throw new Error("QuotaExceededError");
    this.#kept.set(name, text);
  }

  removeItem(name) {
    this.#kept.delete(name);
  }
}

export class Socket {
  static OPEN = 1;
  static opened = [];
  readyState = Socket.OPEN;
  sent = [];

  constructor() {
    Socket.opened.push(this);
  }

  send(text) {
    this.sent.push(JSON.parse(text));
  }

  close() {
    this.readyState = 3;
    this.onclose?.();
  }

  /** A frame of the server's. */
  shows(type, data) {
    this.onmessage({ data: JSON.stringify({ type, data }) });
  }
}

/** An element that can have the focus, or be a menu that is open. */
export class Focusable {
  constructor(tag, id = "") {
    Object.assign(this, { tag, id });
  }

  matches(selector) {
    return selector.split(", ").includes(this.tag);
  }

  closest() {
    return null;
  }

  focus() {
    document.activeElement = this;
  }

  blur() {
    document.activeElement = document.body;
  }

  showPopover() {
    document.querySelector = () => this;
  }

  hidePopover() {
    document.querySelector = () => null;
  }
}

class Filled {
  constructor({ fields }) {
    this.get = (name) => fields[name];
  }
}

/** What was called over HTTP, and what answers it: `answer({method, path, body})` gives a Response. */
export const http = {
  calls: [],
  answer: async () => Response.json({ data: { ticket: "t" } }),
};

const listeners = {};
export const happens = (name, event = {}) => listeners[name]?.forEach((listener) => listener(event));

Object.assign(globalThis, {
  WebSocket: Socket,
  Element: Focusable,
  HTMLElement: Focusable,
  FormData: Filled,
  localStorage: new Place(),
  sessionStorage: new Place(),
  document: {
    cookie: "",
    hidden: false,
    body: new Focusable("body"),
    hasFocus: () => true,
    querySelector: () => null,
    addEventListener() {},
    createTreeWalker: () => ({}),
    createComment: () => ({}),
  },
  CSS: { supports: () => true },
  location: { hash: "", pathname: "/console/", reload: mock.fn(), assign: mock.fn() },
  addEventListener: (name, listener) => (listeners[name] ??= []).push(listener),
  requestAnimationFrame: () => {},
  matchMedia: () => ({ matches: false }),
  fetch(path, { method, body }) {
    const asked = { method, path, body: body && JSON.parse(body) };
    http.calls.push(asked);
    return http.answer(asked);
  },
});
Object.defineProperty(globalThis, "navigator", { value: { languages: ["en-GB"] }, configurable: true });

/** Everything that a template of lit-html was given, with what the templates and directives in it were. */
export function* within(value) {
  yield value;
  const values = Array.isArray(value) ? value : (value?.values ?? []);
  for (const each of values) yield* within(each);
}
