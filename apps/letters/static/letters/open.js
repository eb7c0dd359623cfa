// The button opens the chat of a letter here: the widget's loader finds the token behind the `#`.
const button = /** @type {HTMLButtonElement} */ (document.getElementById("open"));
button.addEventListener("click", () => {
  const script = document.createElement("script");
  location.hash = `letter=${button.dataset.token}`;
  script.src = /** @type {string} */ (button.dataset.loader);
  document.head.append(script);
  button.disabled = true;
});
