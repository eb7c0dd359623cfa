const sheet = new CSSStyleSheet();
sheet.replaceSync(`
.stars button { font-size: 26px; line-height: 1; color: var(--soft); }
.stars button:hover, .stars button:has(~ :hover) { color: #f5b301; }
`);

/** A press rates; another changes it, and a comment may follow. */
export const askRating = (view, t, h) => {
  const star = (value) => h("button", { name: "value", value, "aria-label": `${value} / 5`, "aria-pressed": "false" }, "★");
  const all = [1, 2, 3, 4, 5].map(star);
  const stars = h("div", { class: "stars", role: "group", "aria-label": t.rate }, ...all);
  const comment = h("textarea", { name: "comment", rows: 1, maxlength: 1000, placeholder: t.message, "aria-label": t.message });
  const more = h("p", { hidden: "" }, comment, h("button", { class: "key" }, t.done));
  const form = view.form("rating", t.rate, stars, more);
  const send = form.onsubmit;
  let rated;
  form.onsubmit = async (event) => {
    const { value } = event.submitter;
    if (value) rated = value;
    for (const each of all) {
      const isGiven = each.value <= rated;
      each.setAttribute("aria-pressed", isGiven);
      each.style.color = isGiven ? "#f5b301" : "";
    }
    // Given here: what tells other tabs that it is must not take it away.
    form.dataset.rated = "";
    more.hidden = !(await send(event, { value: +rated })) || !value;
  };
  const root = view.rating.getRootNode();
  if (!root.adoptedStyleSheets.includes(sheet)) root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
  view.rating.replaceChildren(form);
};
