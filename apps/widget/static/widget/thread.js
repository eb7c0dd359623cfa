/** What the tabs of one browser share about one widget. */
export class Storage {
  // A plain object serves pages that may not store.
  #store = {};
  #prefix;

  constructor(guid) {
    this.#prefix = `parley:${guid}:`;
    try {
      this.#store = localStorage;
    } catch {}
  }

  get(key) {
    try {
      return JSON.parse(this.#store[this.#prefix + key]);
    } catch {}
  }

  /** Null forgets. */
  set(key, value) {
    key = this.#prefix + key;
    try {
      if (value === null) delete this.#store[key];
      else this.#store[key] = JSON.stringify(value);
    } catch {}
  }

  keys(start) {
    const names = Object.keys(this.#store).filter((name) => name.startsWith(this.#prefix + start));
    return names.map((name) => name.slice(this.#prefix.length)).sort();
  }
}

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

  /** For a new visitor, who inherits what is unsent. */
  reset() {
    this.#messages.clear();
    this.cursor = 0;
    this.#storage.set("read", null);
    for (const item of this.pending) {
      item.after = item.twin = 0;
      if (item.complete) item.file_id = 0;
    }
  }

  /** `complete` gives what the message lacks, when its turn comes; only then it outlives the page. */
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

  next() {
    return this.pending.find((item) => !item.failed);
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
    this.pending = this.pending.filter((each) => each !== item);
    this.#storage.set(item.key, null);
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

// A UUID, on http pages too, which lack crypto.randomUUID.
export const newId = () => URL.createObjectURL(new Blob()).slice(-36);

export const isMine = (message) => message.sender?.kind === "client";
