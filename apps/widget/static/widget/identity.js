/** Why a value can't be sent; "" of one that can. */
const wrong = (value) => {
  const isPlain = value && [Object.prototype, Array.prototype, null].includes(Object.getPrototypeOf(value));
  try {
    const text = JSON.stringify(value, (_, part) => {
      if (["bigint", "function", "symbol"].includes(typeof part) || (typeof part === "number" && !isFinite(part)))
        throw new TypeError(`holds a ${typeof part} (${String(part).slice(0, 40)})`);
      return part;
    });
    return text === "{}" && !isPlain ? `is a ${value.constructor?.name}` : "";
  } catch (error) {
    return `can't be sent: ${error.message}`;
  }
};

/** A copy of all in `given` that can be sent; the console is told of the rest, by `path` and name. */
const sendable = (given, path, besides = []) => {
  const taken = {};
  for (const name of Object.keys(given).filter((name) => !besides.includes(name))) {
    try {
      const value = given[name];
      const reason = wrong(value);
      if (reason) console.warn(`Parley.${path}${name} ${reason}`);
      else if (value !== undefined) taken[name] = JSON.parse(JSON.stringify(value));
    } catch (error) {
      console.warn(`Parley.${path}${name} can't be read: ${error}`);
    }
  }
  return taken;
};

/** Whether it is an object with names; the console is told if not. */
const isRecord = (given, name) => {
  if (given && typeof given === "object" && !Array.isArray(given)) return true;
  console.warn(`Parley: ${name}({…}) takes an object`);
};

/** Tells who uses the page, as `name` was called. A value that can't be sent is refused here, another `user_id` begins from nothing. */
const tell = async (app, name, person) => {
  const attributes = person?.attributes;
  if (!isRecord(name === "identify" ? person : attributes, name)) return;
  const rest = sendable(person, `${name}: `, ["attributes"]);
  if (attributes != null && isRecord(attributes, name === "identify" ? "identify: attributes" : name))
    rest.attributes = sendable(attributes, `${name}: attributes.`);
  // The two prove each other.
  if (person.user_id != null && rest.user_id == null) delete rest.identity_hmac;
  const chat = await app.startChat();
  const { storage } = app;
  const [before, user] = [storage.get("user"), rest.user_id];
  if (user != null && !storage.get("letter")) {
    if (before != null && before !== String(user)) {
      app.forget();
      chat.reset();
    }
    storage.set("user", String(user));
  }
  // For the rules of invitations.
  app.person = { ...app.person, ...rest, attributes: { ...app.person?.attributes, ...rest.attributes } };
  chat.connection.identify(rest);
};

export const identify = (app, person) => tell(app, "identify", person);

export const setAttributes = (app, attributes) => tell(app, "setAttributes", { attributes });

export const showInvitation = async ({ invite, settings }, id) => settings.invitations && (await invite()).show(id);

/** Of each live invitation, why it does not show (docs/guides/invitations.md). */
export const whyNot = async (app) => {
  if (!app.settings.invitations && !app.invitations) return [];
  const { invitations, inTheWay, refusals, stand } = await app.invite();
  return invitations.map((row) => {
    const missing = stand(row).missing.map(({ condition, wants, is }) => ({ condition, wants, is }));
    const holds = !missing[0];
    return { id: row.id, holds, missing, waits_for: holds ? inTheWay() : null, refused: refusals()[row.id]?.[0] ?? null };
  });
};

/** Opens the chat at an article; without effect where the widget has no help. */
export const openArticle = async (app, id) => {
  if (!app.settings.help) return;
  await app.open();
  const chat = await app.startChat();
  const { read } = await chat.bring("./articles.js");
  await read(chat, id);
};

let warned;

/** Says once that the page may not call. */
export const refuse = () => {
  if (!warned) console.warn("Parley: the API of this widget is switched off.");
  warned = true;
  return [];
};

/** Ends on the server the session that was forgotten here; a failure is tried again with the next page. */
export const end = async ({ config: { base_url, guid }, storage }) => {
  const token = storage.get("ended");
  if (!token) return;
  const headers = { Authorization: `Visitor ${token}` };
  const url = `${base_url}/widget/${guid}/sessions`;
  const { status } = await fetch(url, { method: "DELETE", headers, credentials: "omit", keepalive: true }).catch(() => ({ status: 0 }));
  // Refused: it is over already.
  if (status < 500 && ![0, 408, 429].includes(status) && storage.get("ended") === token) storage.set("ended", null);
};
