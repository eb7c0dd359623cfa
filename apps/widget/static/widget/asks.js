const rules = `
.ask, .ask form { display: grid; gap: var(--p-2); }
.ask { margin-top: var(--p-3); padding: var(--p-3); border: 1px solid var(--line); border-radius: var(--p-r-l); font-size: var(--p-m); line-height: var(--p-m-line); overflow-wrap: anywhere; }
.ask input:not([type=checkbox]), .ask textarea, select { width: 100%; min-width: 0; min-height: var(--p-control); padding: 6px var(--p-3); background: var(--surface); border: 1px solid var(--edge); border-radius: var(--p-r-m); font-size: var(--p-l); }
.ask small { color: var(--muted); font-size: var(--p-s); }
.ask .key, .ask button { min-height: var(--p-control); padding: 0 var(--p-3); border-radius: var(--p-r-m); font-weight: 500; }
.ask .key { border-color: var(--accent); background: var(--accent); color: var(--accent_text); }
.ask .later { justify-self: center; color: var(--muted); }
.ask [role=status]:empty, .ask:has([role=status]:only-child) .later { display: none; }
`;
// The first of them that is due is asked; the others wait for it.
const ORDER = ["rating", "away", "address", "proof"];
// Two of them ask for a mailbox: who puts one off has put off the other.
const later = (name) => `later:${name === "away" ? "address" : name}`;
const DAY = 86_400_000;
// Milliseconds: a visitor whom no person answers is asked then.
const PATIENCE = 60_000;

/** Whether it is time to ask: not while AI answers; `soon` is an ask that a person made, or that the visitor began. */
const isTime = ({ isMine, says, settings, thread }, { name, soon }) => {
  const items = thread.items();
  const mine = items.findLast(isMine);
  const age = ({ created_at }) => Date.now() - +new Date(created_at);
  const other = items.findLast(({ origin, sender }) => origin !== "invitation" && !["client", "system"].includes(sender.kind));
  const isAnswered = other && !other.ai && age(other) < DAY;
  const isAlone = mine && age(mine) >= PATIENCE && (!settings.ai || items.at(-1) === mine);
  // A person knows whom they talk with.
  if (isAnswered) return name !== "proof";
  // Nobody goes on with a talk of yesterday.
  if (isAlone || says || (soon && items[0] && age(items.at(-1)) > DAY)) return true;
  if (settings.steps.at(-1)?.kind === "closed") return soon;
  return !settings.ai && (soon || !settings.online);
};

/** The ask that is due; nothing takes the place of one that is being answered. */
const choose = (chat) => {
  const { ask, asks, isMine, thread, visit } = chat;
  const isOpen = ({ name }) => !visit.get(later(name));
  const open = ORDER.map((name) => asks[name]).filter((each) => each && isOpen(each));
  const isBusy = open.some(({ node }) => node === ask && node.matches(":focus-within"));
  if (!isBusy) chat.ask = open.find((each) => isTime(chat, each))?.node ?? null;
  const mine = thread.items().findLast(isMine);
  const left = mine && +new Date(mine.created_at) + PATIENCE - Date.now();
  clearTimeout(chat.asksAt);
  if (open[0] && left > 0) chat.asksAt = setTimeout(chat.draw, left + 1);
};

/** Asks in the log, one at a time; `node` null withdraws. */
export const offer = (chat, name, node, soon) => {
  chat.style(rules);
  chat.asks[name] = node && { name, node, soon };
  chat.choose = () => choose(chat);
  chat.draw();
};

/** The frame of an ask: `children`, and a way to put it off for this visit. */
export const frameOf = (chat, name, children, label = chat.words.later, put = () => {}) => {
  const { h, input, visit } = chat;
  const putOff = () => {
    visit.set(later(name), true);
    put();
    input.focus();
    offer(chat, name, null);
  };
  return h("div", { class: `ask ${name}`, role: "group" }, ...children, h("button", { type: "button", class: "later", onclick: putOff }, label));
};
