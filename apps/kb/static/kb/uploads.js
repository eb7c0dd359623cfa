// Sends the chosen documents one after the other, shows how far each is, and looks until all are read. Without it the
// form sends them all at once.

const form = document.querySelector("form[data-documents]");
const texts = form.dataset;
const list = form.appendChild(Object.assign(document.createElement("ul"), { className: "uploads" }));
const chosen = form.querySelector("input[type=file]");

const line = (name) => {
  const node = list.appendChild(document.createElement("li"));
  const bar = Object.assign(document.createElement("progress"), { max: 100, value: 0 });
  const said = Object.assign(document.createElement("span"), { role: "status" });
  node.append(Object.assign(document.createElement("b"), { textContent: name }), " ", bar, " ", said);
  return { node, bar, said };
};

const send = (file, { bar, said }) =>
  new Promise((resolve) => {
    const body = new FormData(form);
    body.delete(chosen.name);
    body.append(chosen.name, file);
    const request = new XMLHttpRequest();
    request.open("POST", location.href);
    request.setRequestHeader("Accept", "application/json");
    request.responseType = "json";
    request.upload.onprogress = ({ loaded, total }) => (bar.value = (100 * loaded) / total);
    request.onloadend = () => {
      const answer = request.response?.documents?.[0];
      said.textContent = answer?.state ?? answer?.refusal ?? texts.failed;
      said.className = answer?.id ? "" : "form-error";
      resolve(answer?.id);
    };
    request.send(body);
  });

const watch = async (rows) => {
  const waiting = new Map(rows);
  while (waiting.size) {
    await new Promise((resolve) => setTimeout(resolve, 2000));
    const answer = await fetch(`${texts.states}?ids=${[...waiting.keys()]}`).catch(() => null);
    if (!answer?.ok) continue;
    for (const { id, state, is_over, is_good, address } of (await answer.json()).documents) {
      const { bar, said } = waiting.get(id);
      said.replaceChildren(Object.assign(document.createElement("a"), { href: address, textContent: state, className: "text-link" }));
      if (!is_over) continue;
      said.className = is_good ? "form-good" : "form-error";
      bar.remove();
      waiting.delete(id);
    }
  }
};

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const rows = [];
  const lines = [...chosen.files].map((file) => [file, line(file.name)]);
  form.querySelector("[type=submit]").disabled = true;
  for (const [file, row] of lines) {
    const id = await send(file, row);
    if (id) rows.push([id, row]);
    else row.bar.remove();
  }
  chosen.value = "";
  form.querySelector("[type=submit]").disabled = false;
  watch(rows);
});
