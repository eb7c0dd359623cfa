// Rows of a rule: the comparisons and values that fit the chosen field are shown, and more rows are added.
const form = document.querySelector("[data-rules]");
const shape = JSON.parse(document.getElementById(form.dataset.rules).textContent);

/** @param {Element} row @param {string} name */
const part = (row, name) => row.querySelector(`[data-part="${name}"]`);

/** @param {Element} row @param {string} name @param {boolean} isShown */
const show = (row, name, isShown) => {
  for (const label of row.querySelectorAll(`[data-for="${name}"]`)) {
    label.hidden = !isShown;
    for (const field of label.querySelectorAll("input, select, textarea")) field.disabled = !isShown;
  }
};

/** Whether a person has changed a row just now: a value that is gone is never replaced by another unasked. */
let isChanged = false;

/** Leaves the values of one list, of which several may be chosen or one. @param {HTMLSelectElement} choice @param {string | null} list @param {boolean} isMany */
const offer = (choice, list, isMany) => {
  const chosen = new Set([...choice.selectedOptions].map(({ value }) => value));
  choice.multiple = isMany;
  choice.size = isMany ? 4 : 0;
  for (const group of choice.querySelectorAll("optgroup")) {
    const isIn = group.dataset.list === list;
    group.hidden = group.disabled = !isIn;
    for (const option of group.children) option.selected = isIn && chosen.has(option.value);
  }
  if (isChanged && !isMany && !choice.selectedOptions[0]?.value) choice.value = choice.querySelector("optgroup:not([hidden]) option")?.value ?? "";
};

/** @param {Element} row */
const showCondition = (row) => {
  const field = part(row, "field").value;
  const known = shape.fields[field];
  const op = part(row, "op");
  op.closest(".rule-part").hidden = !known;
  for (const option of op.options) option.hidden = option.disabled = !known?.ops.includes(option.value);
  if (known && !known.ops.includes(op.value)) op.value = known.ops[0];
  // A yes or no is compared in one way alone.
  if (known?.ops.length === 1) op.closest(".rule-part").hidden = true;
  const isWithValue = Boolean(known) && !["is_empty", "is_set"].includes(op.value);
  show(row, "key", field === "contact.attributes");
  show(row, "choice", isWithValue && known.list !== null);
  show(row, "value", isWithValue && known.list === null);
  if (isWithValue && known.list !== null) offer(part(row, "choice"), known.list, ["in", "not_in"].includes(op.value));
};

/** @param {Element} row */
const showAct = (row) => {
  const act = part(row, "do").value;
  show(row, "choice", act in shape.lists);
  show(row, "key", act === "attribute");
  show(row, "value", act in shape.typed);
  show(row, "by", act === "notify");
  show(row, "text", shape.with_text.includes(act));
  if (act in shape.lists) offer(part(row, "choice"), shape.lists[act], act === "notify");
  if (act in shape.typed) row.querySelector("[data-label]").textContent = shape.values[act];
};

/** @param {Element} row */
const showWhen = (row) => show(row, "minutes", shape.waits.includes(part(row, "when").value));

/** @param {Element} row */
const draw = (row) => ({ if: showCondition, then: showAct, when: showWhen })[row.dataset.row]?.(row);

/** An empty row like another, at the next place. @param {Element} last */
const rowAfter = (last) => {
  const made = last.cloneNode(true);
  made.querySelector(".form-error")?.remove();
  for (const field of made.querySelectorAll("[name]")) {
    field.name = field.name.replace(/_(\d+)_/, (_, place) => `_${Number(place) + 1}_`);
    if (field.type === "hidden") field.remove();
    else if (field instanceof HTMLSelectElement) field.selectedIndex = 0;
    else field.value = "";
  }
  return made;
};

for (const rows of form.querySelectorAll("[data-rows]")) {
  const add = document.createElement("button");
  Object.assign(add, { type: "button", className: "button-plain", textContent: rows.dataset.add });
  add.dataset.adds = "";
  const count = () => rows.querySelectorAll(".rule-row").length;
  add.addEventListener("click", () => {
    const made = rowAfter([...rows.querySelectorAll(".rule-row")].at(-1));
    rows.append(made);
    draw(made);
    made.querySelector("select, input")?.focus();
    add.hidden = count() >= Number(rows.dataset.most);
  });
  add.hidden = count() >= Number(rows.dataset.most);
  const line = document.createElement("p");
  line.className = "form-buttons";
  line.append(add);
  rows.after(line);
  // One empty row is enough where more are a click away.
  const empty = [...rows.querySelectorAll(".rule-row")].filter((row) => !row.querySelector("select, input")?.value);
  for (const row of empty.slice(empty.length === count() ? 1 : 0)) row.remove();
}
for (const row of form.querySelectorAll(".rule-row")) draw(row);
form.addEventListener("change", ({ target }) => {
  const row = target.closest(".rule-row");
  isChanged = true;
  if (row) draw(row);
});
