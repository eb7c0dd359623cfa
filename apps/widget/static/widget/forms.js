const rules = `
.away { display: grid; gap: 8px; margin-top: 12px; padding: 12px; border: 1px solid var(--line); border-radius: 14px; }
.away b { font-weight: 600; }
.away label { display: flex; gap: 8px; font-size: 14px; }
.away [type=checkbox] { width: 18px; height: 18px; flex: none; accent-color: var(--accent); }
`;
// Milliseconds.
const THANKS_LAST = 8_000;
/** A form sent to the call `path`, with what `more` gives then; `done` is told what was sent. */
export const form = ({ connection, h, input, load, settings, t }, path, more, done, ...children) => {
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
    said.textContent = error ? (await load("./refusal.js")).words(error, settings) || t.failed : t.thanks;
    const ends = !error && done(body);
    if (ends) {
      node.replaceChildren(said);
      setTimeout(ends, THANKS_LAST);
    }
    (node.elements[wrong] ?? (ends ? input : event.submitter)).focus();
  };
  return node;
};

/** Who wrote while nobody is there says here how they are reached; gives the form, which stands below the message. */
export const away = (chat) => {
  const { h, hold, settings, storage, t, thread, visit } = chat;
  const field = (name, more) => h("input", { name, placeholder: t[name], "aria-label": t[name], ...more });
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
    hold(true);
    return () => hold(false);
  };
  chat.style(rules);
  const node = form(
    chat,
    "offline",
    more,
    done,
    h("b", null, t.leave),
    field("name", { autocomplete: "name" }),
    field("email", { autocomplete: "email", type: "email", required: "" }),
    settings.mail_answers && h("label", null, tick, t.tell),
    h("button", { class: "key" }, t.done),
  );
  node.className = "away";
  // What is half written outlives messages, and a reload.
  const written = visit.get("form") ?? {};
  for (const input of node.querySelectorAll("input[name]")) input.value = written[input.name] ?? "";
  node.oninput = () => visit.set("form", Object.fromEntries(new FormData(node)));
  return node;
};
