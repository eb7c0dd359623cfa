// What the demo page does with the chat's own JavaScript API; the page works without it.
window.Parley.on("message", ({ chat_id }) => {
  for (const mark of document.querySelectorAll("[data-chat-id]")) mark.textContent = chat_id;
  const hint = document.getElementById("chat-hint");
  hint.textContent = hint.dataset.known.replace("CHAT_ID", chat_id);
});
for (const button of document.querySelectorAll("[data-open-chat]")) button.addEventListener("click", () => window.Parley.open());
