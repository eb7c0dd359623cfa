const rules = `
.away form { grid-template-columns: 1fr 1fr; }
.away form > :not(input) { grid-column: 1 / -1; }
.away label { display: flex; gap: var(--p-2); align-items: center; min-height: var(--p-control); }
.away [type=checkbox] { flex: none; width: 18px; height: 18px; accent-color: var(--accent); }
`;
// Milliseconds.
const THANKS_LAST = 8_000;
// Without an answer of AI, after which nobody answers.
const PATIENCE = 60_000;
/** A form sent to the call `path`, with the members that `more` gives then; `done` gets the body that was sent. */
export const form = (chat, path, more, done, ...children) => {
  const { bring, connection, h, input, t, words } = chat;
  const said = h("p", { role: "status" });
  const node = h("form", null, ...children, said);
  node.onsubmit = async (event) => {
    event.preventDefault();
    const fields = [...new FormData(node)].filter(([, value]) => /** @type {string} */ (value).trim());
    const body = { ...Object.fromEntries(fields), ...more(event) };
    node.inert = true;
    /** @type {any} */
    let wrong, error;
    try {
      await connection.post(path, body);
    } catch (refused) {
      error = (await refused.json?.().catch(() => {})) ?? refused;
      [wrong] = Object.keys(error.errors ?? {});
    }
    node.inert = false;
    said.textContent = error ? (await bring("./refusal.js")).sentence(error, chat) || t.failed : words.thanks;
    const ends = !error && done(body);
    if (ends) {
      node.replaceChildren(said);
      setTimeout(ends, THANKS_LAST);
    }
    (node.elements[wrong] ?? (ends ? input : event.submitter)).focus();
  };
  return node;
};

/** Who wrote while nobody is there says here how they are reached; gives the ask, which stands below the message. */
const contacts = (chat, frameOf) => {
  const { draw, h, settings, storage, thread, visit, words } = chat;
  const field = (name, more) => h("input", { name, placeholder: words[name], "aria-label": words[name], ...more });
  const tick = h("input", { type: "checkbox" });
  const more = () => {
    const { id } = thread.items().findLast(({ id, sender }) => id && sender.kind === "client");
    return { message_id: id, ...(tick.checked && { mail_answers: true }) };
  };
  const done = ({ email }) => {
    const { letters } = chat;
    if (letters && (letters.mode === "on" || tick.checked)) Object.assign(letters, { address: email, state: "will" });
    storage.set("left", true);
    visit.set("form", null);
    chat.holds = true;
    return () => {
      chat.holds = false;
      draw();
    };
  };
  chat.style(rules);
  const node = form(
    chat,
    "offline",
    more,
    done,
    h("b", null, words.leave),
    field("name", { autocomplete: "name" }),
    field("email", { autocomplete: "email", type: "email", required: "" }),
    settings.mail_answers && h("label", null, tick, words.tell),
    h("button", { class: "key" }, words.done),
  );
  // A half-filled form outlives messages, and a reload.
  const written = visit.get("form") ?? {};
  for (const input of node.querySelectorAll("input[name]")) input.value = written[input.name] ?? "";
  node.oninput = () => visit.set("form", Object.fromEntries(new FormData(node)));
  return frameOf(chat, "away", [node]);
};

/** Says when somebody is there again; who writes while nobody answers is asked, below the messages, how they are reached. */
export const away = async (chat) => {
  const { connection, settings, storage, thread, words } = chat;
  const { ai, back_at, features, language, online } = settings;
  const items = thread.items();
  const mine = items.filter(({ sender }) => sender.kind === "client");
  const last = items.at(-1);
  // Milliseconds in which AI is still to answer.
  const left = ai && (last?.sender.kind === "client" ? +new Date(last.created_at) + PATIENCE - Date.now() : Infinity);
  if (left > 0 && left <= PATIENCE) setTimeout(() => away(chat), left);
  const says = !online && !(left > 0);
  /** @type {Intl.DateTimeFormatOptions} */
  const at = { weekday: "long", hour: "2-digit", minute: "2-digit" };
  const back = back_at && `${words.back} ${new Date(back_at).toLocaleString(language, at)}`;
  const isMissed = says && features.offline_form && mine[0]?.id && !storage.get("left") && !connection.knowsAddress();
  const asked = chat.asks.away?.node;
  // A form that is being filled in stays.
  const asks = chat.holds || asked?.matches(":focus-within") ? !!asked : !!isMissed;
  const state = back + [asks, says, language];
  if (chat.state === state) return;
  Object.assign(chat, { back, says, state });
  const { frameOf, offer } = await chat.load("./asks.js");
  if (asks !== !!chat.asks.away) offer(chat, "away", asks ? contacts(chat, frameOf) : null);
  else chat.draw();
};
