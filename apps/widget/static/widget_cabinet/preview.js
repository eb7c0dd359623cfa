// Beside the form of a widget's settings: what visitors would see if it were saved. The frame is loaded anew for each
// look, so that nothing of the one before is left.
const WAITS = 400; // milliseconds after the last change
const section = document.querySelector(".widget-preview");
const frame = section.querySelector("iframe");
const box = section.querySelector(".widget-preview-frame");
const said = section.querySelector("[role=status]");
const choice = (name) => section.querySelector(`select[data-${name}]`).value;
const form = document.querySelector("#widgetlook_form");
let waits, settings, asked = 0;

const show = () => {
  box.dataset.device = choice("device");
  frame.src = section.dataset.frame;
};

addEventListener("message", ({ data, origin, source }) => {
  if (origin !== location.origin || source !== frame.contentWindow || data !== "ready" || !settings) return;
  source.postMessage({ settings, scheme: choice("scheme"), isOpen: true }, origin);
});

const ask = async () => {
  const mine = ++asked;
  const sends = form?.querySelector("[name=csrfmiddlewaretoken]") && form.querySelector("[name=widget_name]");
  const response = await fetch(`${section.dataset.config}?lang=${choice("language")}`, sends ? { method: "POST", body: new FormData(form) } : {});
  if (mine !== asked) return;
  const { data, errors } = await response.json();
  const refused = Object.entries(errors ?? {});
  said.textContent = refused.length === 0 ? "" : `${said.dataset.refused} ${refused.map(([name, text]) => `${name}: ${text}`).join(" ")}`;
  if (!data) return;
  settings = data;
  show();
};
const later = () => {
  clearTimeout(waits);
  waits = setTimeout(ask, WAITS);
};

// A colour is picked, or typed: the text field keeps what is sent, as it may be empty.
for (const text of form?.querySelectorAll("input[type=text][name$=color]") ?? []) {
  const picker = document.createElement("input");
  picker.type = "color";
  picker.className = "colour-picker";
  picker.setAttribute("aria-label", text.labels[0]?.textContent.trim() ?? "");
  const follow = () => {
    if (/^#[0-9a-f]{6}$/i.test(text.value)) picker.value = text.value.toLowerCase();
  };
  picker.addEventListener("input", () => {
    text.value = picker.value;
    text.dispatchEvent(new Event("input", { bubbles: true }));
  });
  text.addEventListener("input", follow);
  follow();
  text.before(picker);
}

form?.addEventListener("input", later);
form?.addEventListener("change", later);
section.addEventListener("change", ask);
// Beside the form it is open; above it, on a telephone, it would fill the first screen.
section.open = matchMedia("(min-width: 1350px)").matches;
ask();
