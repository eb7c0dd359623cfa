const rules = `
.begin { display: flex; flex-wrap: wrap; gap: var(--p-2); margin-top: var(--p-4); }
.begin:empty { display: none; }
.begin button { min-height: 44px; padding: var(--p-1) var(--p-4); border: 1px solid var(--edge); border-radius: var(--p-r-full); background: var(--surface); text-align: start; overflow-wrap: anywhere; }
.begin button:hover { background: var(--bubble); color: var(--bubble_text); }
.begin [aria-pressed=true] { background: var(--accent); border-color: var(--accent); color: var(--accent_text); }
.begin > div { display: contents; }
.begin label { position: relative; flex: 1 0 100%; }
.begin select { appearance: none; width: 100%; min-height: 44px; padding: 0 var(--p-10) 0 var(--p-3); background: var(--surface); border: 1px solid var(--edge); border-radius: var(--p-r-m); font-size: var(--p-l); text-overflow: ellipsis; }
.begin select:dir(rtl) { padding: 0 var(--p-3) 0 var(--p-10); }
.begin label svg { position: absolute; inset: 0 auto; inset-inline-end: var(--p-3); pointer-events: none; }
`;
// As many departments are seen at once; more are a list.
const PILLS = 4;
const CHEVRON = "M6 9l6 6 6-6";

/** A department to choose: a press, or from a list. */
const choice = ({ departments }, chat) => {
  const { h, icon, words } = chat;
  const choose = (id) => (chat.department_id = id || undefined);
  if (departments.length > PILLS) {
    const options = [{ id: "", name: words.department }, ...departments].map(({ id, name }) => h("option", { value: id }, name));
    return h("label", null, h("select", { "aria-label": words.department, onchange: ({ target }) => choose(+target.value) }, ...options), icon(CHEVRON));
  }
  const pills = departments.map(({ id, name }) => {
    const onclick = () => {
      choose(chat.department_id === id ? 0 : id);
      for (const pill of pills) pill.setAttribute("aria-pressed", +pill.value === chat.department_id);
    };
    return h("button", { value: id, "aria-pressed": "false", onclick }, name);
  });
  return h("div", { role: "group", "aria-label": words.department }, ...pills);
};

/** The first controls of a chat: a department to choose, phrases to send. */
export const begin = (chat) => {
  const { h, send, settings, style } = chat;
  const { ai, departments, questions, widget_show_departments } = settings;
  const isAsked = questions?.questions.some(({ kind }) => kind === "department");
  style(rules);
  const help = settings.help && h("div", { class: "help" });
  if (help) chat.bring("./articles.js").then(({ offer }) => offer(chat, help));
  return [
    !isAsked && widget_show_departments && departments[1] && choice(settings, chat),
    ...(ai?.quick_phrases ?? []).map((body) => h("button", { onclick: () => send({ type: "text", body }) }, body)),
    help,
  ].filter(Boolean);
};
