/** The whole letter that a message came by, over the page, loaded when it is asked for: its markup in a frame that runs nothing and fetches nothing. */

import { call } from "../base/api.js";
import { sizeOf, timeOf } from "../base/formats.js";
import { t } from "../base/texts.js";
import { html, nothing, render } from "../vendor/lit-html/lit-html.js";

/** @import {Letter} from "../base/server_types.js" */

const FRAME = `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'"><base target="_blank">`;

/** @param {Letter} letter */
function content(letter) {
  const copies = letter.cc.length ? html`<p><small>${t("letter_copies")} <bdi>${letter.cc.join(", ")}</bdi></small></p>` : nothing;
  const files = letter.files.map((file) => html`<li><bdi>${file.name}</bdi> <small>${sizeOf(file.size)}</small></li>`);
  const body =
    letter.html === null
      ? html`<pre>${letter.text}</pre>`
      : html`<iframe sandbox="allow-popups" referrerpolicy="no-referrer" title=${t("letter_open")} srcdoc=${FRAME + letter.html}></iframe>`;
  return html`<h2><bdi>${letter.subject || t("letter_untitled")}</bdi></h2>
    <p><bdi>${letter.from}</bdi> <small>${timeOf(letter.at)}</small></p>
    <p><small>${t("letter_to")} <bdi>${letter.to.join(", ")}</bdi></small></p>${copies}${body}
    ${files.length ? html`<ul>${files}</ul>` : nothing}
    <form method="dialog"><a href=${letter.raw} download>${t("letter_raw")}</a> <button>${t("close_dialog")}</button></form>`;
}

/**
 * Fetches the letter of a message, and shows it until it is closed.
 *
 * @param {number} messageId
 */
export async function showLetter(messageId) {
  const dialog = document.createElement("dialog");
  dialog.className = "letter-dialog";
  document.body.append(dialog);
  dialog.addEventListener("close", () => dialog.remove());
  dialog.showModal();
  try {
    const { data } = await call("GET", `messages/${messageId}/letter`);
    render(content(data), dialog);
  } catch {
    render(html`<p>${t("letter_gone")}</p><form method="dialog"><button>${t("close_dialog")}</button></form>`, dialog);
  }
}
