// Milliseconds.
const ANSWER = 10_000;
const UPLOAD = 300_000;
const PING = 20_000;
const POLL = 4_000;
// Messages: as many as a session call gives.
const PAGE = 100;

// A UUID, on http pages too, which lack crypto.randomUUID.
export const newId = () => URL.createObjectURL(new Blob()).slice(-36);

export const isMine = (message) => message.sender?.kind === "client";

export const backoff = (attempt) => Math.min(30_000, 500 * 2 ** attempt) * (0.5 + Math.random() / 2);

// The same request would be refused again.
export const isFinal = ({ status }) => status >= 400 && status < 500 && ![401, 408, 409, 429].includes(status);

/** Stored messages, and `pending` ones that the server has not confirmed. */
export class Thread {
  #storage;
  #clock = 0;
  #messages = new Map();
  pending = [];
  /** Received in order up to here; an `ack` may run ahead. */
  cursor = 0;

  constructor(storage) {
    this.#storage = storage;
    this.reload();
  }

  get #read() {
    return this.#storage.get("read") ?? 0;
  }

  get #lastId() {
    return Math.max(0, ...this.#messages.keys());
  }

  reload() {
    // One key a message: tabs never overwrite each other's.
    for (const key of this.#storage.keys("queue:")) {
      const item = this.#storage.get(key);
      if (item && !this.find(item.client_id)) this.pending.push({ ...item, key });
    }
    this.pending.sort((a, b) => (a.key < b.key ? -1 : 1));
  }

  /** Forgets everything: somebody else uses the page. */
  clear() {
    this.pending = [];
    this.reset();
  }

  /** For a new visitor, who inherits the unsent messages. */
  reset() {
    this.#messages.clear();
    this.cursor = 0;
    this.#storage.set("read", null);
    for (const item of this.pending) {
      item.after = item.twin = 0;
      if (item.complete) item.file_id = 0;
    }
  }

  /** `complete` adds the missing part of a message, when its turn comes; only then it outlives the page. */
  write(content, complete) {
    this.#clock = Math.max(Date.now(), this.#clock + 1);
    const client_id = newId();
    const created_at = new Date(this.#clock).toISOString();
    const key = `queue:${this.#clock}:${client_id}`;
    const item = { ...content, key, client_id, created_at, after: Math.max(this.#lastId, this.#read) };
    this.pending.push(item);
    if (complete) item.complete = complete;
    else this.keep(item);
  }

  keep(item) {
    this.#storage.set(item.key, item);
  }

  find(client_id) {
    return this.pending.find((item) => item.client_id === client_id);
  }

  /** The next message to send; a file that is on its way up holds no text. */
  next() {
    return this.pending.find((item) => !item.failed && !item.waits);
  }

  drop(client_id) {
    const item = this.find(client_id);
    this.pending = this.pending.filter((each) => each !== item);
    this.#storage.set(item.key, null);
  }

  /** True when it is new; a `settled` one is none of the pending. */
  add(message, settled) {
    const { id, body, file } = message;
    const known = this.#messages.get(id);
    let key = known?.key ?? id;
    if (!known && !settled && isMine(message)) {
      // A broadcast may overtake its ack: until then the same content stands for both.
      const twin = this.pending.find(
        (item) => !item.twin && !item.failed && id > item.after && body === item.body && file?.id === item.file_id,
      );
      if (twin) {
        twin.twin = id;
        key = twin.client_id;
      }
    }
    this.#messages.set(id, { ...known, ...message, key });
    return !known;
  }

  /** `client_id` is stored, as `message`; true when that is new. */
  settle(client_id, message) {
    const item = this.find(client_id);
    this.drop(client_id);
    const other = this.#messages.get(item.twin);
    if (other) other.key = other.id;
    const fresh = this.add(message, true);
    this.#messages.get(message.id).key = client_id;
    return fresh;
  }

  markSeen(last) {
    for (const message of this.#messages.values()) {
      if (message.id <= last && isMine(message)) message.seen_at ??= true;
    }
  }

  unread() {
    const read = this.#read;
    return [...this.#messages.values()].filter((each) => !isMine(each) && !each.seen_at && each.id > read).length;
  }

  /** The last id, if it was unread. */
  markRead() {
    const last = this.#lastId;
    if (last <= this.#read) return 0;
    this.#storage.set("read", last);
    return last;
  }

  /** Oldest first, each with a lasting `key`; unsent ones with a `state`. */
  items() {
    const stored = [...this.#messages.values()].sort((a, b) => a.id - b.id);
    const unsent = this.pending.filter((item) => !item.twin);
    const sender = { kind: "client" };
    return [
      ...stored,
      ...unsent.map((item) => ({ ...item, key: item.client_id, sender, state: item.failed ? "failed" : "sending" })),
    ];
  }
}

/** A session, a socket that heals itself, HTTP while it is down. */
export class Connection {
  #chat;
  #config;
  #settings;
  #storage;
  #thread;
  #emit;
  #token;
  #page;
  #session;
  #waits;
  #opened = Promise.resolve();
  #socket;
  #identity;
  #isNews;
  #contact;
  #hangUp;
  #answer;
  #wake;
  #run;
  #since;
  #listens;
  #flushing;
  #polling;
  #failures = 0;
  lost = false;
  /** Seconds that the server asked to wait before the next message; 0 while it asks for none. */
  slowed = 0;
  /** Why the last write was refused, in words, until a message is taken. */
  refused = "";

  constructor(chat, emit) {
    this.#chat = chat;
    this.#config = chat.config;
    this.#settings = chat.settings;
    this.#storage = chat.storage;
    this.#thread = chat.thread;
    this.#emit = emit;
    this.#since = this.#storage.get("since");
  }

  /** Whether another tab has forgotten who used the page: nothing of theirs stays in this one, either. */
  leave() {
    const since = this.#storage.get("since");
    if (since === this.#since) return;
    this.#since = since;
    this.#thread.clear();
    this.#stop("left");
    return true;
  }

  start() {
    if (this.#run) return;
    this.#stayConnected((this.#run = { isNew: true }));
    if (this.#listens) return;
    this.#listens = true;
    const hurry = () => {
      this.#socket?.send("visible", { visible: !document.hidden });
      this.#wake?.();
      this.flush();
    };
    addEventListener("online", hurry);
    addEventListener("offline", () => {
      this.#setLost(true);
      this.#socket?.close();
    });
    document.addEventListener("visibilitychange", hurry);
    setInterval(() => this.#run && this.#poll(), POLL);
  }

  /** Ends the session here; the next start is a new visitor's. */
  #stop(why) {
    this.#run = this.#session = this.#identity = this.#token = this.#contact = null;
    this.#hangUp?.();
    this.#wake?.();
    this.#emit(why);
  }

  identify(identity) {
    const attributes = { ...this.#identity?.attributes, ...identity.attributes };
    this.#identity = { ...this.#identity, ...identity, attributes };
    this.#isNews ||= Object.keys(identity).length > 0;
    // One that is not asked for yet tells this, too.
    if (!this.#waits) this.#session = null;
    if (this.#run) this.open().catch(() => {});
    else this.start();
  }

  send(content, complete) {
    this.leave();
    this.#thread.write(content, complete);
    this.start();
    this.flush();
  }

  retry(client_id) {
    this.#thread.find(client_id).failed = false;
    this.flush();
  }

  /** Whether the page has told where this visitor is reached. */
  knowsAddress() {
    return !!this.#identity?.email;
  }

  /** Worth sending, not worth keeping. */
  tell(type, data) {
    if (this.#socket) this.#socket.send(type, data);
    else if (this.#session) this.post(type, data).catch(() => {});
  }

  async post(path, body, method, transport) {
    await this.open();
    return this.#http(path, body, method, transport);
  }

  async flush() {
    this.#emit("change");
    if (this.#flushing) return;
    this.#flushing = true;
    for (const item of this.#thread.pending) {
      if (!item.complete || item.file_id || item.failed || item.waits) continue;
      item.waits = true;
      item.complete(item);
    }
    for (let item; (item = this.#thread.next()); this.#emit("change")) {
      try {
        const message = await this.#deliver(item);
        if (this.#thread.settle(item.client_id, message)) this.#emit("message", message);
        this.#failures = this.slowed = 0;
        this.refused = "";
      } catch (error) {
        if ((item.failed = isFinal(error))) {
          // An answer may be asked for that the page does not know of.
          if (error.status === 422) this.#chat.bring("./questions.js").then(({ refused }) => refused(this.#chat, item, error));
          continue;
        }
        this.slowed = error.status === 429 ? +error.headers.get("Retry-After") || 1 : 0;
        setTimeout(() => this.flush(), 1000 * this.slowed || backoff(this.#failures++));
        break;
      }
    }
    this.#flushing = false;
  }

  async #deliver(item) {
    await this.open();
    const { client_id, type, body, file_id, department_id, offer_id, answers } = item;
    const message = { client_id, type, body, file_id, department_id, offer_id, answers };
    const stored = this.#socket && (await this.#ask(message));
    // Refused or unanswered: HTTP tells why; the client_id makes it harmless.
    return stored ?? this.#http("messages", message);
  }

  #ask(message) {
    return new Promise((resolve) => {
      const socket = this.#socket;
      const timer = setTimeout(() => socket.close(), ANSWER);
      this.#answer = (data) => {
        if (data && data.client_id !== message.client_id) return;
        clearTimeout(timer);
        resolve(data?.message);
      };
      socket.send("message.send", message);
    });
  }

  async #stayConnected(run) {
    for (let attempt = 0; this.#run === run; attempt++) {
      try {
        const session = await this.open();
        this.flush();
        if (await this.#converse(session)) attempt = 0;
      } catch (error) {
        if (error.isOver) return this.#stop(this.#thread.reset(this.#keep(null)));
        if (isFinal(error)) attempt = 9;
      }
      await new Promise((resolve) => {
        this.#wake = resolve;
        setTimeout(resolve, backoff(attempt));
      });
    }
  }

  /** One websocket's life; resolves with whether it ever was ready. */
  #converse({ realtime_url, visitor_token }) {
    return new Promise((resolve) => {
      const raw = new WebSocket(`${realtime_url}/ws/visitor/${this.#config.guid}`);
      const send = (frame) => raw.readyState === 1 && raw.send(JSON.stringify(frame));
      let ready = false;
      let silent = false;
      const close = () => {
        clearInterval(beat);
        clearTimeout(unanswered);
        raw.onclose = raw.onmessage = null;
        raw.close();
        this.#socket = null;
        this.#answer?.();
        resolve(ready);
      };
      this.#hangUp = close;
      const beat = setInterval(() => {
        if (silent) return close();
        silent = true;
        send({ type: "ping" });
      }, PING);
      const unanswered = setTimeout(close, ANSWER);
      raw.onopen = () => send({ type: "auth", token: visitor_token, after_id: this.#thread.cursor });
      raw.onclose = ({ code }) => {
        // A refused token: the session call gives another.
        if (code === 1008) this.#session = null;
        close();
      };
      raw.onmessage = (event) => {
        silent = false;
        const { type, data } = JSON.parse(event.data);
        if (type === "message.created") this.#store([data]);
        else if (type === "ack") this.#answer?.(data);
        else if (type === "error") this.#answer?.();
        else {
          if (type === "ready") {
            ready = true;
            clearTimeout(unanswered);
            this.#socket = { send: (type, data) => send({ type, data }), close };
            if (document.hidden) this.tell("visible", { visible: false });
            this.#setLost(false);
            this.#thread.reload();
            this.flush();
          }
          this.#emit(type, data ?? {});
        }
      };
    });
  }

  #store(messages) {
    for (const message of messages) {
      this.#thread.cursor = Math.max(this.#thread.cursor, message.id);
      if (this.#thread.add(message)) this.#emit("message", message);
    }
    this.#emit("change");
  }

  async #poll() {
    if (this.#page !== location.href) this.identify({});
    if (this.#socket || this.#polling || !this.#session || document.hidden) return;
    this.#polling = true;
    try {
      for (let page; page?.length !== 0; this.#store(page)) {
        page = await this.#http(`messages?after_id=${this.#thread.cursor}&limit=${PAGE}`);
      }
    } catch {}
    this.#polling = false;
  }

  open() {
    if (!this.#session) {
      // One after the other: two at once would make two visitors.
      this.#waits = true;
      const session = (this.#session = this.#opened.then(() => this.#openSession()));
      this.#opened = session.catch(() => {
        if (this.#session === session) this.#session = null;
      });
    }
    return this.#session;
  }

  /** Of the cookie: a letter's visitor has none. */
  get #domain() {
    return !this.#storage.get("letter") && !this.#config.off && this.#settings.widget_cookie_domain;
  }

  /** The token; where the site has a domain for it, of the cookie that all its hosts share. */
  known() {
    return this.#domain ? this.#chat.known() : this.#storage.get("token");
  }

  #keep(token) {
    this.#storage.set("token", token);
    const domain = this.#domain;
    if (domain) document.cookie = `parley_${this.#config.guid}=${token ?? ""};domain=${domain};path=/;max-age=${token ? 31536e3 : 0};secure;samesite=lax`;
  }

  async #openSession() {
    this.#waits = false;
    const run = this.#run;
    const known = this.known();
    const about = {
      page_url: (this.#page = location.href).split("#")[0].slice(0, 2000),
      lang: this.#settings.language,
      referrer: document.referrer,
      key: this.#storage.get("key"),
      time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    };
    this.#token = null;
    const told = this.#identity;
    let taken;
    const begin = (visitor_token, identity, proof) => {
      taken = identity;
      const letter = this.#storage.get("letter");
      const who = letter ? (visitor_token ? null : { letter, visitor_token: this.#storage.get("own"), letter_agreed: !!this.#storage.get("agreed") }) : { ...identity, proof };
      return this.#http("sessions", { ...about, visitor_token, ...who }).catch(async (error) => {
        if (!isFinal(error) && error.status !== 401) throw error;
        const { beginAgain } = await this.#chat.load("./refusal.js");
        const http = (path) => this.#http(path);
        // Only who writes, or opens the chat, begins anew.
        const isWanted = () => run?.isNew || this.#thread.next();
        return beginAgain(error, { begin, http, isWanted, kept: () => this.known(), storage: this.#storage }, visitor_token, identity, proof);
      });
    };
    const data = await begin(known, told);
    if (this.#identity === told) this.#identity = taken;
    this.#token = data.visitor_token;
    this.#keep(this.#token);
    if (run) run.isNew = false;
    const before = this.#contact ?? this.#storage.get("contact");
    this.#storage.set("contact", (this.#contact = data.contact_id));
    if (before ? before !== this.#contact : known && known !== this.#token) this.#thread.reset();
    this.#emit("session", data);
    if (this.#isNews) this.#emit("identified", { user_id: this.#identity?.user_id ?? null });
    this.#isNews = false;
    // A gap is left to the socket.
    if (!(data.messages[0]?.id > (this.#thread.cursor || Infinity))) this.#store(data.messages);
    return data;
  }

  async #http(path, body, method = body ? "POST" : "GET", transport = fetch) {
    const { base_url, guid } = this.#config;
    const token = this.#token;
    const run = this.#run;
    const stay = () => {
      if (this.leave() || run !== this.#run) throw new Error("The visitor was forgotten.");
    };
    stay();
    const form = body instanceof FormData && body;
    let response;
    try {
      response = await transport(`${base_url}/widget/${guid}/${path}`, {
        method,
        headers: {
          ...(token && { Authorization: `Visitor ${token}` }),
          ...(!form && { "Content-Type": "application/json" }),
        },
        body: form || JSON.stringify(body),
        credentials: "omit",
        signal: AbortSignal.timeout(form ? UPLOAD : ANSWER),
      });
      this.#setLost(false);
    } catch (error) {
      // Texts may still get through.
      if (!form) this.#setLost(true);
      throw error;
    }
    stay();
    if (response.status === 401 && token) {
      if (token === this.#token) this.#session = null;
      await this.open();
      if (token !== this.#token) return this.#http(path, body, method, transport);
    }
    if (response.status === 403) {
      const { why } = await this.#chat.bring("./refusal.js");
      this.refused = await why(response, this.#chat);
    }
    if (!response.ok) throw response;
    return response.status === 204 ? null : (await response.json()).data;
  }

  #setLost(lost) {
    if (this.lost === lost) return;
    this.lost = lost;
    this.#emit("change");
  }
}
