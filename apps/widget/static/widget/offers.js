const rules = `
.invitation { position: absolute; bottom: calc(var(--offset_y) + var(--lift, 0px) + var(--size) + var(--p-3)); right: var(--offset_x); width: max-content; max-width: min(300px, 100vw - 2 * var(--offset_x)); max-height: 33dvh; overflow: auto; padding: 0 var(--p-2) var(--p-2) 0; background: var(--surface); color: var(--text); border: 1px solid var(--line); border-radius: var(--p-r-l); box-shadow: 0 var(--p-1) var(--p-4) var(--shade); font: var(--p-m)/var(--p-m-line) var(--p-font); animation: come var(--p-medium); }
.left .invitation { right: auto; left: var(--offset_x); }
.invitation:dir(rtl) { padding: 0 0 var(--p-2) var(--p-2); }
@keyframes come { from { opacity: 0; } }
.invitation button { min-height: 44px; margin: var(--p-2) 0 0; margin-inline-start: var(--p-2); padding: 0 var(--p-3); text-align: start; white-space: pre-line; overflow-wrap: anywhere; }
.invitation .key { border-color: var(--muted); }
.invitation img { float: inline-start; width: 32px; margin-inline-end: var(--p-2); border-radius: 50%; }
.invitation b { display: block; font-weight: 600; }
`;
/** Puts an invitation beside the launcher; `leave` ends it. */
export const draw = ({ h, launcher, style }, { text, buttons, from }, words, leave) => {
  style(rules);
  const { ai, avatar_url: src } = from;
  if (ai) from.name += ` (${words.answers[0]})`;
  const says = h("div", { role: "status" });
  const keys = buttons.map((words) => h("button", { class: "key", onclick: () => leave("opened", words) }, words));
  const node = h("section", { class: "invitation", "aria-label": words.invitation }, says, ...keys, h("button", { onclick: () => leave("dismissed") }, words.dismiss));
  launcher.after(node);
  // A screen reader reads changes of a status, not its first content.
  setTimeout(() => says.append(h("button", { onclick: () => leave("opened") }, src && h("img", { src, alt: "" }), h("b", null, from.name), text)));
  return node;
};

/** Has the chat show an invitation that was opened, until the server has it before the visitor's answer. */
export const stand = (chat, offer) => {
  const { draw, fire, visit } = chat;
  const { from: sender, id, offer_id, text: body } = offer;
  // Of the answer; it outlives the network, and is not of the next page.
  let key;
  const isAnswer = (item) => item && (item.invitation === id || item.key === key);
  chat.invited = {
    isFirst: (first) => (first ? isAnswer(first) : !key),
    /** Before the answer, else at the end, which has no item. */
    stand(show, row, item, before) {
      if (item ? !isAnswer(item) || before?.origin === "invitation" : key) return;
      key = item?.key;
      show("invited", body, () => row({ type: "text", body, sender }, { first: 1, last: 1, told: 1 }));
    },
    again() {
      key = undefined;
      draw();
    },
    answer() {
      if (key) return;
      key = "sent";
      visit.set("invited", null);
      if (offer_id) fire("invitation", { id, state: "answered" });
      return { offer_id: offer_id ?? undefined, invitation: id };
    },
  };
  chat.invited.again();
};
