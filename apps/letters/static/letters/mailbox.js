// A mailbox's page: servers are filled in by the address's provider, and servers that are not used are hidden.
const field = (name) => document.getElementById(`id_${name}`);
const address = field("address");
const providers = JSON.parse(address?.dataset.providers ?? "[]");

/** The provider whose domain the address is of. @param {string} text */
const providerOf = (text) => {
  const domain = text.trim().toLowerCase().split("@")[1] ?? "";
  return providers.find(({ domains }) => domains.some((own) => domain === own || domain.endsWith(`.${own}`)));
};

/** Fills a field that nobody typed in. @param {string} name @param {string} value */
const fill = (name, value) => {
  const input = field(name);
  if (!input || (input.value && input.value !== input.dataset.filled)) return;
  input.value = input.dataset.filled = value;
};

const hint = document.createElement("p");
hint.setAttribute("role", "status");
hint.className = "mt-2";

const fillIn = () => {
  const provider = providerOf(address.value);
  for (const side of ["imap", "smtp"]) {
    const [host, port, encryption] = provider?.[side] ?? ["", "", ""];
    fill(`${side}_host`, host);
    fill(`${side}_port`, String(port));
    fill(`${side}_encryption`, encryption);
  }
  hint.textContent = provider?.hint ?? "";
};

/** Shows the fields of a server where it is used. @param {string} side @param {string} chooser */
const follow = (side, chooser) => {
  const choice = field(chooser);
  if (!choice) return;
  const show = () => {
    for (const input of document.querySelectorAll(`[id^="id_${side}_"]`)) {
      const row = input.closest(".field-row, .form-row");
      if (row) row.style.display = choice.value === side ? "" : "none";
    }
  };
  choice.addEventListener("change", show);
  show();
};

if (address) {
  address.after(hint);
  address.addEventListener("input", fillIn);
  fillIn();
}
follow("imap", "reads");
follow("smtp", "sends");
