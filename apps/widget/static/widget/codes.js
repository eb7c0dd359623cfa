/** Who has written and wants to prove a mailbox gives it here, and then the code; both are written into the chat,
 * which answers. It is not asked for where a person answers: they know whom they talk with. */
export const offer = async (chat) => {
  const { h, load, send, settings, words } = chat;
  const [{ frameOf, offer }, { form }] = await Promise.all([load("./asks.js"), load("./forms.js")]);
  const { ask, code: called } = settings.email_codes;
  const field = (label, more) => h("input", { placeholder: label, "aria-label": label, required: "", ...more });
  const children = (input) => [h("b", null, ask), h("small", null, words.proof), input, h("button", { class: "key" }, words.done)];
  const says = (input) => send({ type: "text", body: input.value.trim() });
  const email = field(words.email, { type: "email", autocomplete: "email" });
  const code = field(called, { inputmode: "numeric", autocomplete: "one-time-code" });
  const second = h("form", null, ...children(code));
  second.onsubmit = (event) => {
    event.preventDefault();
    says(code);
    code.value = "";
    second.replaceWith(first);
  };
  const asked = () => {
    says(email);
    first.replaceWith(second);
    code.focus();
  };
  const first = form(chat, "verification", () => ({}), asked, ...children(email));
  offer(chat, "proof", frameOf(chat, "proof", [first]));
};
