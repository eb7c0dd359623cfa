// The presets of the token form: each replaces the whole selection of scopes.
document.addEventListener("click", (event) => {
  const button = event.target.closest(".scopes-presets button");
  if (!button) return;
  const chosen = new Set(button.dataset.scopes.split(" "));
  for (const box of button.closest(".scopes").querySelectorAll("input[type=checkbox]")) {
    box.checked = chosen.has(box.value);
  }
});
