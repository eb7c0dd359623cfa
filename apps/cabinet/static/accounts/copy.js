// Buttons that copy a text of the page. Without this file, or where a browser forbids it, the text can be selected.
for (const button of document.querySelectorAll("button[data-copies]")) {
  if (!navigator.clipboard) continue; // pages that are not served over https, but for localhost
  const title = button.textContent;
  button.hidden = false;
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(document.getElementById(button.dataset.copies).textContent.trim());
    } catch {
      return;
    }
    button.textContent = button.dataset.copied;
    setTimeout(() => { button.textContent = title; }, 2000);
  });
}
