const rules = `
.stars button { font-size: 26px; line-height: 1; color: var(--muted); }
.stars button:hover, .stars button:has(~ :hover), .stars .given { color: #c98a00; }
.dark .stars button:hover, .dark .stars button:has(~ :hover), .dark .stars .given { color: #f5b301; }
.rating form p { display: grid; gap: 8px; }
`;

/** By language: the question, and the field of a comment. */
const TEXTS = {
  ru: ["Как мы справились?", "Сообщение"],
  en: ["How did we do?", "Message"],
  el: ["Πώς τα πήγαμε;", "Μήνυμα"],
  de: ["Wie zufrieden sind Sie?", "Nachricht"],
  es: ["¿Qué tal lo hicimos?", "Mensaje"],
  ar: ["كيف كانت خدمتنا؟", "الرسالة"],
  zh: ["您对我们的服务满意吗？", "消息"],
};

/** Stars, of which a press rates; another changes it, and a comment may follow. */
export const askRating = (chat, { form }) => {
  chat.style(rules);
  const { fire, h, rating, settings, t } = chat;
  const [question, words] = TEXTS[settings.language];
  const star = (value) => h("button", { name: "value", value, "aria-label": `${value} / 5`, "aria-pressed": "false" }, "★");
  const stars = [1, 2, 3, 4, 5].map(star);
  const group = h("div", { class: "stars", role: "group", "aria-label": question }, ...stars);
  const comment = h("textarea", { name: "comment", rows: 1, maxlength: 1000, placeholder: words, "aria-label": words });
  const rest = h("p", { hidden: "" }, comment, h("button", { class: "key" }, t.done));
  let value, isStar;
  const more = ({ submitter }) => {
    isStar = !!submitter.value;
    value = +submitter.value || value;
    for (const each of stars) {
      const isGiven = each.value <= value;
      each.setAttribute("aria-pressed", isGiven);
      each.className = isGiven ? "given" : "";
    }
    // Given here: what tells other tabs that it is must not take it away.
    node.dataset.rated = "";
    return { value };
  };
  const done = (body) => {
    fire("rating", body);
    rest.hidden = false;
    return !isStar && (() => node.remove());
  };
  const node = form(chat, "rating", more, done, question, group, rest);
  rating.replaceChildren(node);
};

