const rules = `
.rating { text-align: center; }
.rating b { padding-block: var(--p-1); }
.marks { display: grid; grid-template-columns: repeat(5, 44px); gap: 0 var(--p-2); justify-content: center; }
.marks span { grid-column: span 2; color: var(--muted); font-size: var(--p-xs); text-align: start; }
.marks :last-child { grid-column: 4 / span 2; text-align: end; }
.marks.thumbs { grid-template-columns: 44px 44px; }
.thumbs span { display: none; }
.thumbs :first-child svg { transform: scaleY(-1); }
.marks button { min-height: 44px; padding: 0; color: var(--muted); }
.marks svg { width: 28px; }
.marks button:hover, .stars button:has(~ button:hover), .marks .given { color: var(--text); }
.faces .given { box-shadow: inset 0 0 0 2px; }
.marks:not(.faces) .given svg { fill: currentColor; }
.rating form p:not([hidden]) { display: grid; gap: var(--p-2); }
`;
const DAY = 86_400_000;
const STAR = "M12 4l2.500 5.500 6 .5-4.500 4 1.500 6-5.500-3.200L6.500 20 8 14 3.500 10l6-.5z";
const THUMB = "M7 11v9H3v-9zM7 11l4-8c2 0 3 1 2.500 3l-.5 3h5c2 0 2.500 1 2 3l-1 5c-.5 2-1 3-3 3H7";
const FACE = "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM9 10h.01M15 10h.01";
const pictures = {
  stars: () => STAR,
  faces: (value) => `${FACE}M8 ${16.5 - value / 2}q4 ${2 * value - 6} 8 0`,
  thumbs: () => THUMB,
};
// Of a page that was loaded before there were forms of the owner's.
const PLAIN = { comment: "always", scale: "stars" };

/** Whether it was given or put away, and no new talk is over since, or long silent. */
const isOver = ({ isMine, settings, storage, thread }) => {
  const rated = storage.get("rated");
  if (rated === undefined) return false;
  const items = thread.items();
  const ended = settings.steps.findLast(({ kind }) => kind === "closed")?.after_message_id ?? 0;
  const isNew = items.findLast(isMine)?.id > rated;
  return !(isNew && (ended >= rated || Date.now() - +new Date(items.at(-1).created_at) >= DAY));
};

/** Marks in the log, of which a press rates; another changes it, and a comment may follow. */
export const askRating = (chat, { form }, { frameOf, offer }) => {
  if (isOver(chat)) return;
  chat.style(rules);
  const { connection, fire, h, icon, settings, storage, thread, words } = chat;
  const [asks, message, bad, great, skip, of] = words.rating;
  const { comment: when, low, question = asks, scale, thanks = words.thanks } = settings.rating_form ?? PLAIN;
  const mark = (value) =>
    h("button", { name: "value", value, title: of.replace("#", value), "aria-label": of.replace("#", value), "aria-pressed": "false" }, icon(pictures[scale](value)));
  const marks = (scale === "thumbs" ? [1, 5] : [1, 2, 3, 4, 5]).map(mark);
  const group = h("div", { class: `marks ${scale}`, role: "group", "aria-label": question }, ...marks, h("span", null, bad), h("span", null, great));
  const comment = h("textarea", { name: "comment", rows: 1, maxlength: 1000, placeholder: message, "aria-label": message });
  const rest = h("p", { hidden: "" }, comment, h("button", { class: "key" }, words.done));
  const end = () => storage.set("rated", Math.max(0, ...thread.items().map(({ id }) => id ?? 0)));
  const put = () => {
    end();
    if (!("rated" in node.dataset)) connection.post("rating-request", undefined, "DELETE").catch(() => {});
  };
  let value, isMark;
  const more = ({ submitter }) => {
    isMark = !!submitter.value;
    value = +submitter.value || value;
    for (const each of marks) {
      const isGiven = scale === "stars" ? each.value <= value : +each.value === value;
      each.setAttribute("aria-pressed", isGiven);
      each.className = isGiven ? "given" : "";
    }
    // Given here: what tells other tabs that it is must not take it away.
    node.dataset.rated = "";
    return { value };
  };
  const done = (body) => {
    end();
    fire("rating", body);
    asked.lastChild.textContent = thanks;
    rest.hidden = !(when === "always" || (when === "low" && value <= low));
    return !isMark && (() => offer(chat, "rating", null));
  };
  const asked = form(chat, "rating", more, done, h("b", null, question), group, rest);
  const node = frameOf(chat, "rating", [asked], skip, put);
  offer(chat, "rating", node, true);
};
