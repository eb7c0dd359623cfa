const rules = `
.questions { display: grid; gap: var(--p-3); max-height: 55cqh; overflow-y: auto; padding: var(--p-3) var(--p-4); border-top: 1px solid var(--line); font-size: var(--p-m); line-height: var(--p-m-line); overflow-wrap: anywhere; }
.questions label, .questions b { font-weight: 500; }
.questions small { font-size: var(--p-s); color: var(--muted); }
.questions :is(select, textarea, div > input) { width: 100%; min-height: var(--p-control); margin-top: var(--p-1); padding: 6px var(--p-3); background: var(--surface); border: 1px solid var(--edge); border-radius: var(--p-r-m); font-size: var(--p-l); }
.questions label:has(input) { display: flex; gap: var(--p-2); align-items: center; min-height: var(--p-control); }
.questions [type=checkbox] { flex: none; width: 18px; height: 18px; accent-color: var(--accent); }
.questions span { position: relative; display: block; }
.questions span select { appearance: none; padding-inline-end: var(--p-10); text-overflow: ellipsis; }
.questions span svg { position: absolute; inset-inline-end: var(--p-3); bottom: var(--p-2); pointer-events: none; }
.questions button { min-height: var(--p-control); padding: 0 var(--p-1); text-decoration: underline; }
`;
const CHEVRON = "M6 9l6 6 6-6";
const DAY = 864e5;
const TYPES = { name: "text", email: "email", phone: "tel", text: "text", number: "number", date: "date", consent: "checkbox" };
const COMPLETES = { name: "name", email: "email", phone: "tel" };
const LONGEST = 1000;
// So short a text may be thanks, which begins no chat: the server knows.
const THANKS = 24;

/** Whether the next message begins a chat, as far as the browser can tell: the first, after a close, after a day's silence. */
const begins = ({ asked, settings, thread, wroteAt }) => {
  const last = thread.items().findLast(({ failed }) => !failed);
  const step = settings.steps.at(-1);
  if (!last || asked) return true;
  if (!last.id) return false;
  const isClosed = step?.kind === "closed" && !(last.id > step.after_message_id);
  // Of two clocks one may be wrong: who has written in this page is heard.
  return isClosed || Date.now() - (wroteAt ?? +new Date(last.created_at)) > DAY;
};

/** A text with links, [text](https://…). */
const linked = (h, text) =>
  text.split(/\[([^\]]*)\]\((https:\/\/[^\s)]+)\)/).map((part, index, parts) =>
    index % 3 === 2 ? "" : index % 3 ? h("a", { href: parts[index + 1], target: "_blank", rel: "noopener noreferrer" }, part) : part,
  );

/** The field of a question: its node, its control, and how its answer is read and written. */
const fieldOf = ({ h, icon, settings, words }, { key, kind, label, help, required, when, options }) => {
  const [, , choose, yes, no, optional] = words.questions;
  const chosen = {
    department: settings.departments.map(({ id, name }) => ({ value: id, label: name })),
    yes_no: [{ value: true, label: yes }, { value: false, label: no }],
    choice: options,
  }[kind];
  const about = { id: key, name: key, required: required ? "" : null, "aria-describedby": help && `help-${key}` };
  const choices = () => [{ label: choose }, ...chosen].map(({ label }, index) => h("option", { value: index || "" }, label));
  const type = TYPES[kind];
  const control = chosen ? h("select", about, ...choices())
    : type ? h("input", { ...about, type, step: "any", maxlength: LONGEST, autocomplete: COMPLETES[kind] ?? "off" })
    : h("textarea", { ...about, rows: 2, maxlength: LONGEST });
  const isTick = kind === "consent";
  const text = linked(h, label);
  const name = h("label", { for: key }, ...(isTick ? [control, h("b", null, ...text)] : text));
  const mark = !isTick && !required && h("small", { "aria-hidden": "true" }, ` (${optional})`);
  const read = () => {
    if (isTick) return control.checked;
    const value = control.value.trim();
    return !value ? undefined : chosen ? chosen[+value - 1].value : kind === "number" ? +value : value;
  };
  const write = (value) => {
    if (isTick) control.checked = value;
    else control.value = (chosen ? chosen.findIndex((each) => each.value === value) + 1 : value) || (value === 0 ? 0 : "");
  };
  return { key, control, read, write, when, node: h("div", null, name, mark, !isTick && (chosen ? h("span", null, control, icon(CHEVRON)) : control), help && h("small", { id: `help-${key}` }, ...linked(h, help))) };
};

/** The form for the questions `asked`; the `known` ones stand in a line, with a button to change the answers. */
const formOf = (chat, asked, known) => {
  const { draw, h, input, settings: { questions: { intro } }, visit, words } = chat;
  const [line, change] = words.questions;
  const fields = asked.map((question) => fieldOf(chat, question));
  const answers = () => Object.fromEntries(fields.filter(({ control }) => !control.disabled).map(({ key, read }) => [key, read()]));
  const toggle = () => {
    for (const { control, node, when } of fields) {
      const given = answers();
      // The server alone knows the conditions on known answers.
      control.disabled = node.hidden = Object.entries(when ?? {}).some(([key, values]) => !values.includes(given[key])) && !chat.asked?.includes(control.name);
    }
  };
  const keep = ({ target }) => {
    target.setCustomValidity("");
    toggle();
    visit.set("answers", answers());
  };
  /** To the first that is open; whether none is. */
  const check = () => {
    for (const { control, read } of fields) if (read() === undefined) control.value = "";
    return node.reportValidity();
  };
  const more = h("button", { type: "button", onclick: () => {
    chat.changes = true;
    draw();
  } }, change);
  const node = h("form", { class: "questions", "aria-label": words.questions[7], oninput: keep }, intro && h("p", null, ...linked(h, intro)), ...fields.map(({ node }) => node));
  if (known[0]) node.append(h("p", null, `${line.replace("#", known.map(({ label }) => label).join(", "))} · `, more));
  node.onkeydown = (event) => {
    if (event.keyCode !== 13 || !event.target.matches("input")) return;
    event.preventDefault();
    if (check()) input.focus();
  };
  node.onchange = () => chat.held && node.checkValidity() && chat.send(...chat.held);
  const before = visit.get("answers") ?? {};
  for (const { key, write } of fields) {
    if (before[key] != null) write(before[key]);
    toggle();
  }
  return { answers, check, fields, node };
};

/** Asks above the composer where a chat begins. */
export const ask = (chat) => {
  const { composer, connection, settings, style, visit } = chat;
  const { questions } = settings.questions ?? {};
  const isKnown = ({ key }) => !chat.changes && chat.known_answers?.includes(key) && !chat.asked?.includes(key);
  // Which are known, a session tells.
  const isAsked = questions && (chat.isLive != null || connection.lost) && begins(chat);
  const version = isAsked && JSON.stringify([questions, chat.known_answers, chat.changes, chat.asked]);
  if (chat.form?.version === version && (!version || chat.form.node.isConnected)) return;
  chat.form?.node?.remove();
  chat.form = { version };
  if (!version) return;
  style(rules);
  const form = Object.assign(chat.form, formOf(chat, questions.filter((each) => !isKnown(each)), questions.filter(isKnown)));
  composer.before(form.node);
  if (chat.changes) form.fields[0]?.control.focus();
  /** Whether a message waits for an answer. */
  chat.keeps = (content, complete) => {
    const { body = "", type } = content;
    const mayThank = type === "text" && body.length < THANKS && chat.thread.items()[0] && !visit.get("answers") && !chat.asked;
    if (!chat.form.node || mayThank || form.check()) return false;
    if (type !== "text") chat.held = [content, complete];
    else chat.input.value ||= body;
    return true;
  };
  /** The answers that go with the first words; the browser forgets them. */
  chat.answer = () => {
    chat.wroteAt = Date.now();
    const answers = chat.form.node?.checkValidity() ? form.answers() : {};
    const keys = Object.keys(answers).filter((key) => answers[key] !== undefined);
    chat.asked = chat.changes = chat.held = undefined;
    visit.set("answers", null);
    if (!keys[0]) return;
    if (answers.email) chat.storage.set("left", true);
    chat.app.fire("questions", { keys });
    return { answers };
  };
};

/** Takes back words that were refused for want of an answer, or for one that is wrong, and asks. */
export const refused = async (chat, { client_id, answers, body, file_id, offer_id, type }, refusal) => {
  const { draw, input, settings, storage, thread, visit, words } = chat;
  const { errors } = await refusal.clone().json();
  const wrong = Object.keys(errors ?? {}).filter((path) => /^answers\b/.test(path)).map((path) => path.slice(8));
  if (!wrong.length) return;
  thread.drop(client_id);
  if (file_id) chat.held = [{ type, body, file_id }];
  else input.value = [body, input.value].filter(Boolean).join("\n");
  storage.set("draft", input.value || null);
  visit.set("answers", { ...answers, ...visit.get("answers") });
  if (offer_id) chat.invited?.again();
  settings.questions = (await chat.read().catch(() => settings)).questions;
  chat.asked = [...(chat.asked ?? []), ...wrong];
  draw();
  ask(chat);
  for (const { control, key, read } of chat.form.fields ?? []) if (wrong.includes(key) && read() !== undefined) control.setCustomValidity(words.questions[6]);
  chat.form.check?.();
};
