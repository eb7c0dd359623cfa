const rules = `
.proof { position: relative; padding: 8px 40px; border-top: 1px solid var(--line); text-align: center; }
.proof form { display: grid; gap: 8px; }
.proof b { font-weight: 600; }
.proof small { display: block; color: var(--muted); font-size: 12px; }
.proof > button:last-child { position: absolute; top: 4px; inset-inline-end: 4px; }
.proof > button svg { width: 18px; }
.log:not(:has(.mine)) ~ .proof, .log:has(.person) ~ .proof { display: none; }
`;
const CROSS = "M6.4 5L12 10.6 17.6 5 19 6.4 13.4 12 19 17.6 17.6 19 12 13.4 6.4 19 5 17.6 10.6 12 5 6.4z";
/** What a proof is good for. */
const WHY = {
  ru: "Тогда здесь можно говорить о ваших заказах и вашем счёте.",
  en: "Then your orders and your account can be talked about here.",
  el: "Τότε μπορούμε να μιλήσουμε εδώ για τις παραγγελίες και τον λογαριασμό σας.",
  de: "Dann lässt sich hier auch über Ihre Bestellungen und Ihr Konto sprechen.",
  es: "Así se puede hablar aquí de sus pedidos y de su cuenta.",
  ar: "عندئذ يمكن الحديث هنا عن طلباتك وحسابك.",
  zh: "验证后，可以在这里谈您的订单和账户。",
};

/** Who has written and wants to prove a mailbox gives it here, and then the code; both are written into the chat,
 * which answers. It is not asked for where a person answered within a day: they know whom they talk with. */
export const offer = (chat) => {
  const { h, icon, load, rating, send, settings, style, t, visit } = chat;
  if (visit.get("unproved")) return;
  const node = h("div", { class: "proof" });
  const { ask, code: called } = settings.email_codes;
  const field = (label, more) => h("input", { placeholder: label, "aria-label": label, required: "", ...more });
  const children = (input) => [h("b", null, ask), h("small", null, WHY[settings.language]), input, h("button", { class: "key" }, t.done)];
  const says = (input) => send({ type: "text", body: input.value.trim() });
  const end = () => {
    visit.set("unproved", true);
    node.remove();
  };
  const draw = (inside) => node.replaceChildren(inside, h("button", { "aria-label": t.dismiss, onclick: end }, icon(CROSS)));
  const show = (form, input) => {
    draw(form);
    input.focus();
  };
  const begin = async () => {
    const { form } = await load("./forms.js");
    const email = field(t.email, { type: "email", autocomplete: "email" });
    const code = field(called, { inputmode: "numeric", autocomplete: "one-time-code" });
    const second = h("form", null, ...children(code));
    second.onsubmit = (event) => {
      event.preventDefault();
      says(code);
      start();
    };
    const asked = () => {
      says(email);
      show(second, code);
    };
    show(form(chat, "verification", () => ({}), asked, ...children(email)), email);
  };
  const start = () => draw(h("button", { onclick: begin }, ask));
  style(rules);
  start();
  rating.before(node);
};
