// In a low window an ask is scrolled; the field stays in sight.
export const rules = `
.frame {
  font: var(--p-l)/var(--p-l-line) var(--p-font);
  --edge: color-mix(in srgb, var(--muted) 80%, var(--surface)); --ring: 2px solid var(--focus);
}
.panel {
  --right: min(var(--chat_offset_x), max(0px, 100vw - var(--chat_width))); --bottom: min(var(--chat_offset_y), max(0px, 100dvh - 320px));
  position: absolute; bottom: var(--bottom); right: var(--right); width: min(var(--chat_width), 100vw); height: min(var(--chat_height), 100dvh - var(--bottom) - 8px);
  display: flex; flex-direction: column; overflow: clip; outline: 0; container-type: size;
  background: var(--surface); border: 1px solid var(--line); border-radius: var(--p-r-xl); box-shadow: 0 var(--p-4) var(--p-12) var(--shade); animation: rise var(--p-medium) var(--p-ease);
}
.left .panel { right: auto; left: var(--right); }
.phone .panel { position: fixed; inset: var(--top, 0) 0 auto; width: auto; height: var(--height, 100dvh); border: 0; border-radius: 0; }
@keyframes rise { from { opacity: 0; transform: translateY(var(--p-3)); } }
.panel svg { width: 20px; margin: auto; fill: none; stroke: currentColor; stroke-width: 2; stroke-linecap: round; }
.head { position: relative; display: flex; align-items: center; gap: var(--p-2); padding: var(--p-3) var(--p-3) var(--p-3) var(--p-4); background: var(--accent); color: var(--accent_text); --focus: var(--accent_text); border-bottom: 1px solid transparent; }
.phone .head { padding-block: var(--p-1); }
.up .head { border-color: var(--line); }
.head > div + div { flex: 1; min-width: 0; }
.head > button, .composer button { flex: none; width: 44px; height: 44px; padding: 0; }
h2, .head p { white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
.head p { font-size: var(--p-s); line-height: var(--p-s-line); }
option { background: var(--surface); color: var(--text); }
h2, b { font-weight: 600; }
.faces { position: relative; display: flex; }
.faces:empty { display: none; }
p:empty { padding: 0 !important; }
.face { width: 32px; height: 32px; object-fit: cover; border-radius: 50%; background: color-mix(in srgb, var(--bubble) 80%, hsl(var(--tint) 90% 50%)); color: var(--bubble_text); font: 600 var(--p-xs)/32px var(--p-font); text-align: center; white-space: nowrap; }
.face + .face { margin-inline-start: -4px; outline: 2px solid var(--accent); }
.faces.online::after, .faces:empty + div .online::before { content: ""; width: 10px; height: 10px; border: 2px solid var(--accent_text); border-radius: 50%; background: seagreen; }
.faces::after { position: absolute; inset-inline-end: 0; bottom: 0; }
.online::before { display: inline-block; margin: 0 var(--p-1) 0 2px; vertical-align: middle; }
.lost { max-height: 40%; overflow-y: auto; padding: var(--p-2) var(--p-3); background: var(--bubble); color: var(--bubble_text); font-size: var(--p-s); text-align: center; }
.log { overflow-wrap: anywhere; flex: 1 0 0; display: flex; flex-direction: column-reverse; overflow-y: auto; overscroll-behavior: contain; padding: var(--p-2) var(--p-4) var(--p-4); outline-offset: -2px; }
.log > div { margin-bottom: auto; }
.note { margin: var(--p-4) 0; color: var(--muted); font-size: var(--p-xs); text-align: center; }
.row { position: relative; display: flex; flex-direction: column; align-items: start; margin-top: 2px; }
.theirs { display: grid; grid-template-columns: 28px minmax(0, auto); gap: 0 var(--p-2); justify-content: start; justify-items: start; padding-inline-end: var(--p-10); }
.theirs > * { grid-column: 2; }
.theirs > .face { grid-column: 1; align-self: end; width: 28px; height: 28px; line-height: 28px; }
.first { margin-top: var(--p-3); }
.mine { align-items: end; padding-inline-start: var(--p-12); }
.hear { position: absolute; clip-path: inset(50%); font-size: var(--p-xs); }
.who, .meta, .typing { padding: 2px var(--p-1); color: var(--muted); font-size: var(--p-xs); }
.meta button { padding: 0; font-weight: 600; text-decoration: underline; }
.failed .meta { color: var(--text); font-weight: 600; }
.bubble { display: grid; gap: var(--p-2); max-width: min(100%, 36em); padding: 10px var(--p-3); border-radius: var(--p-r-xl); background: var(--bubble); color: var(--bubble_text); }
.theirs .bubble { border-end-start-radius: var(--p-r-s); }
.mine .bubble { background: var(--accent); color: var(--accent_text); border-end-end-radius: var(--p-r-s); --focus: var(--accent_text); }
.sending .bubble { opacity: .8; }
.text, textarea { unicode-bidi: plaintext; }
.text { white-space: pre-wrap; }
.typing { padding: 0 var(--p-5) var(--p-2); }
.composer { display: flex; align-items: end; gap: var(--p-2); margin: var(--p-2); border: 1px solid var(--edge); border-radius: var(--p-r-l); }
.composer:focus-within { outline: var(--ring); outline-offset: -1px; }
textarea { width: 100%; padding: 10px 0; background: none; border: 0; resize: none; field-sizing: content; max-height: 130px; }
.composer textarea { outline: 0; }
.composer textarea:first-child { padding-inline-start: var(--p-3); }
::placeholder { color: var(--muted); opacity: 1; }
.composer button { color: var(--muted); }
.composer button:last-child { padding: 3px; border-radius: 50%; background: var(--accent) content-box; color: var(--accent_text); }
.composer :placeholder-shown + button { background-color: var(--bubble); color: var(--bubble_text); }
@container (max-height: 420px) {
  .head { padding-block: 0; }
  .log { padding-block: var(--p-1); }
  textarea { max-height: 30cqh; }
}
@container (max-height: 200px) {
  .head p, .typing { display: none; }
  .composer { margin-block: 2px; }
}
:dir(rtl) > .composer button:last-child svg { transform: scaleX(-1); }
`;
