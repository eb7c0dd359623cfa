const rules = `
.proof { padding: 8px 16px; border-top: 1px solid var(--line); text-align: center; }
.proof form { display: grid; gap: 8px; }
.proof b { font-weight: 600; }
.log:not(:has(.mine)) ~ .proof { display: none; }
`;

/** Who has written and wants to prove a mailbox gives it here, and then the code; both are written into the chat,
 * which answers. */
export const offer = (chat) => {
  const { h, load, rating, send, settings, style, t } = chat;
  const node = h("div", { class: "proof" });
  const { ask, code: called } = settings.email_codes;
  const field = (label, more) => h("input", { placeholder: label, "aria-label": label, required: "", ...more });
  const children = (input) => [h("b", null, ask), input, h("button", { class: "key" }, t.done)];
  const says = (input) => send({ type: "text", body: input.value.trim() });
  const show = (form, input) => {
    node.replaceChildren(form);
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
  const start = () => node.replaceChildren(h("button", { onclick: begin }, ask));
  style(rules);
  start();
  rating.before(node);
};
