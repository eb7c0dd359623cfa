// Of each question the fields that fit its kind are shown: a choice alone has answers to choose from.

/** @param {Element} row */
const show = (row) => {
  const kind = row.querySelector("[data-kind]").value;
  for (const part of row.querySelectorAll("[data-for]")) part.hidden = part.dataset.for !== kind;
};

for (const row of document.querySelectorAll("[data-question]")) {
  row.addEventListener("change", () => show(row));
  show(row);
}
