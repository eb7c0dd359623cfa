// The names of countries in the page's language, in its order, in place of their codes.
const select = document.querySelector("[data-countries]");
const language = document.documentElement.lang || "en";
const names = new Intl.DisplayNames([language], { type: "region" });
for (const option of select.options) option.textContent = names.of(option.value);
const chosen = select.value;
select.append(...[...select.options].sort((one, other) => one.text.localeCompare(other.text, language)));
select.value = chosen;
