const rules = `
.link { position: absolute; bottom: calc(var(--offset_y) + var(--size) + var(--p-3)); right: var(--offset_x); width: 280px; max-width: 90vw; padding: var(--p-3); display: flex; flex-wrap: wrap; gap: var(--p-2); background: var(--surface); color: var(--text); border: 1px solid var(--line); border-radius: var(--p-r-l); box-shadow: 0 var(--p-1) var(--p-4) var(--shade); font: var(--p-m)/var(--p-m-line) var(--p-font); }
.left .link { right: auto; left: var(--offset_x); }
.link button { min-height: var(--p-control); padding: 0 var(--p-3); border: 1px solid var(--muted); border-radius: var(--p-r-m); }
.reach { display: flex; flex-wrap: wrap; gap: 0 var(--p-2); align-items: center; margin-top: var(--p-3); color: var(--muted); font-size: var(--p-s); line-height: var(--p-s-line); overflow-wrap: anywhere; }
.reach button { min-height: var(--p-control); padding: 0 var(--p-1); text-decoration: underline; }
`;
// Milliseconds without an answer, after which an address is asked for while somebody is there.
const PATIENCE = 60_000;
const ADDRESS = /^[^\s@]{1,64}@[^\s@]{1,190}\.[^\s@.]{2,}$/;

/** The field for an address, which is kept while it is half written; `give` sends it. */
const fieldOf = (chat, give, ...more) => {
  const { bring, h, t, visit, words } = chat;
  const input = h("input", { type: "email", required: "", autocomplete: "email", placeholder: words.email, "aria-label": words.email });
  const status = h("span", { role: "status" });
  const form = h("form", null, input, h("button", { class: "key" }, words.done), ...more, status);
  input.oninput = () => visit.set("address", input.value);
  form.onsubmit = (event) => {
    event.preventDefault();
    give(input.value).catch(async (refused) => {
      const error = (await refused.json?.().catch(() => {})) ?? refused;
      status.textContent = (await bring("./refusal.js")).sentence(error, chat) || t.failed;
      input.focus();
    });
  };
  return { form, input };
};

/** What is known of the visitor's address, in one line at the thread's end; where none is, it is asked for. @param {any} chat */
export const tell = async (chat) => {
  const { connection, draw, h, isMine, load, settings, thread, visit, words } = chat;
  const [will, dead, change, leave, ask, yes, none] = words.letters;
  const { address, state } = chat.letters;
  const items = thread.items();
  const mine = items.findLast((item) => item.id && isMine(item));
  const wait = mine && settings.online && items.at(-1) === mine ? +new Date(mine.created_at) + PATIENCE - Date.now() : 0;
  const said = mine?.body.trim();
  const may = !visit.get("letter");
  const written = state === "none" && ADDRESS.test(said) && said;
  const offers = may && (written || !settings.online || (wait <= 0 && items.at(-1) === mine));
  const shown = mine && state !== "stopped" && (state !== "none" || offers);
  const version = shown ? JSON.stringify([settings.language, address, state, written]) : "";
  const isBusy = shown ? chat.line?.querySelector("form") : chat.asks.address?.node.matches(":focus-within");
  if (chat.told === version || isBusy) return;
  chat.told = version;
  const { frameOf, offer } = await load("./asks.js");
  chat.style(rules);
  const button = (text, onclick, className) => h("button", { type: "button", onclick, class: className }, text);
  const sentence = (text, named) => {
    const [before, after] = text.split("#");
    return h("span", null, before, h("bdi", null, named), after);
  };
  const give = async (email) => {
    ({ letters: chat.letters } = await connection.post("address", { email }, "PUT"));
    visit.set("address", null);
    chat.line = chat.told = null;
    await tell(chat);
  };
  const edit = () => {
    const { form, input } = fieldOf(chat, give, button(none, () => give(null)));
    input.value = visit.get("address") ?? address;
    chat.line.className = "ask reach";
    chat.line.replaceChildren(form);
    input.focus();
  };
  if (shown && state === "none") {
    const { form, input } = fieldOf(chat, give);
    const field = [h("b", null, leave), form];
    input.value = visit.get("address") ?? "";
    const failed = () => node.replaceChildren(...field, node.lastChild);
    const node = frameOf(chat, "address", written ? [sentence(ask, written), button(yes, () => give(written).catch(failed), "key")] : field);
    chat.line = null;
    return offer(chat, "address", node, written);
  }
  chat.line = shown ? h("div", { class: "reach" }, sentence(state === "dead" ? dead : will, address), may && button(change, edit)) : null;
  offer(chat, "address", null);
  if (chat.line && visit.get("address")) edit();
  draw();
};

/** Opens the chat that a letter's link goes on with, in this tab; beside a visitor of the browser's own only if they agree. */
export const enter = async (app, letter, isKnown, goOn) => {
  const { frame, h, load, own, settings, style, visit } = app;
  history.replaceState(null, "", location.href.split("#")[0]);
  const go = () => {
    for (const key of visit.keys("")) visit.set(key, null);
    visit.set("letter", letter);
    visit.set("own", own.get("token") ?? null);
    // A visitor with a chat of their own was asked.
    visit.set("agreed", !!isKnown);
    visit.set("open", true);
    // The chat that is here already goes on with who began it.
    if (app.chat) return location.reload();
    app.storage = visit;
    app.open();
  };
  if (!isKnown) return go();
  const { words } = await load((await load(settings.texts_url)).more);
  const [question, yes, no] = words.enter;
  style((await load("./tokens.js")).tokens(".frame"));
  style(rules);
  const choose = (then) => () => {
    node.remove();
    then();
  };
  const buttons = [h("button", { onclick: choose(go) }, yes), h("button", { onclick: choose(goOn) }, no)];
  const node = h("div", { class: "link", role: "alertdialog", "aria-label": question }, h("p", null, question), ...buttons);
  frame.append(node);
  buttons[1].focus();
};
