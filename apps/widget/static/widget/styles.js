// In a low window faces and signature give way first, then what is asked for is scrolled; the field stays in sight.
export const rules = `
.panel {
  --right: min(var(--chat_offset_x), max(0px, 100vw - var(--chat_width))); --bottom: min(var(--chat_offset_y), max(0px, 100dvh - 320px));
  position: absolute; bottom: var(--bottom); right: var(--right); width: min(var(--chat_width), 100vw); height: min(var(--chat_height), 100dvh - var(--bottom) - 8px);
  display: flex; flex-direction: column; overflow: clip; outline: 0; container-type: size;
  background: var(--surface); border: 1px solid var(--line); border-radius: 18px; box-shadow: 0 16px 48px #0003; animation: rise .18s;
}
.left .panel { right: auto; left: var(--right); }
.phone .panel { position: fixed; inset: var(--top, 0) 0 auto; width: auto; height: var(--height, 100dvh); border: 0; border-radius: 0; }
@keyframes rise { from { opacity: 0; transform: translateY(12px); } }
.drop { outline: 3px dashed; outline-offset: -8px; }
.head { display: flex; align-items: center; gap: 12px; padding: 14px 16px; background: var(--accent); color: var(--accent_text); --focus: var(--accent_text); font-size: 13px; }
.head > div:nth-child(2) { flex: 1; min-width: 0; }
.head p { display: -webkit-box; -webkit-line-clamp: 2; -webkit-box-orient: vertical; overflow: hidden; }
.head > button, .head label { align-self: start; flex: none; border-radius: 8px; }
.head label { position: relative; padding: 8px 4px; font-weight: 600; }
.head select { position: absolute; inset: 0; opacity: 0; cursor: pointer; }
.head label:focus-within { outline: 2px solid; }
option { background: var(--surface); color: var(--text); }
h2 { font-size: 17px; font-weight: 600; line-height: 1.25; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
.faces { display: flex; }
.faces:empty, .rating:empty { display: none; }
p:empty { padding: 0 !important; }
.face { width: 40px; height: 40px; object-fit: cover; border-radius: 50%; border: 2px solid var(--accent); background: var(--bubble); color: var(--bubble_text); font-weight: 600; line-height: 36px; text-align: center; }
.face + .face { margin-inline-start: -14px; }
.online::before { content: ""; display: inline-block; width: 8px; height: 8px; margin-inline-end: 6px; border-radius: 50%; background: #37c77f; box-shadow: 0 0 0 1.5px currentColor; }
.lost, .rating, .proof { flex: 0 1 auto; min-height: 0; max-height: 40%; overflow-y: auto; }
.lost { padding: 6px 12px; background: #fff2d6; color: #5c4400; font-size: 13px; text-align: center; }
.log { flex: 1 0 0; min-height: 0; display: flex; flex-direction: column-reverse; overflow-y: auto; overscroll-behavior: contain; padding: 8px 16px 16px; outline-offset: -2px; }
.log > div { margin-bottom: auto; }
.note { margin: 14px 0; color: var(--muted); font-size: 12px; text-align: center; }
.row { position: relative; display: flex; flex-direction: column; align-items: start; margin-top: 3px; }
.first { margin-top: 12px; }
.mine { align-items: end; }
.hear { position: absolute; opacity: 0; font-size: 1px; pointer-events: none; }
.who, .meta, .typing { padding: 2px 4px; color: var(--muted); font-size: 12px; }
.meta button { padding: 0; font-weight: 600; text-decoration: underline; }
.failed .meta { color: var(--bad); }
.bubble { display: grid; gap: 8px; max-width: 85%; padding: 9px 13px; border-radius: 16px; background: var(--bubble); color: var(--bubble_text); overflow-wrap: anywhere; }
.theirs .bubble { border-end-start-radius: 5px; }
.mine .bubble { background: var(--accent); color: var(--accent_text); border-end-end-radius: 5px; --focus: var(--accent_text); }
.sending .bubble { opacity: .8; }
.text, textarea { unicode-bidi: plaintext; }
.text { white-space: pre-wrap; }
img.image { display: block; max-width: 100%; max-height: 260px; border-radius: 10px; }
.bubble.sticker { background: none; padding: 0; font-size: 48px; }
img.sticker { width: 120px; }
.key { padding: 8px 14px; border-radius: 10px; border: 1px solid var(--accent); background: var(--accent); color: var(--accent_text); font-weight: 600; text-align: center; text-decoration: none; }
.secondary { background: none; color: inherit; border-color: var(--muted); }
.begin { display: flex; flex-wrap: wrap; gap: 8px; margin-top: 14px; }
.begin > * { padding: 7px 13px; border: 1px solid var(--accent); border-radius: 18px; background: var(--surface); color: var(--text); text-align: start; text-decoration: none; }
.begin > :hover { background: var(--bubble); color: var(--bubble_text); }
.begin select { flex: 1 0 100%; }
.typing { padding: 0 20px 8px; }
.rating { padding: 12px 16px; border-top: 1px solid var(--line); text-align: center; }
input, textarea { width: 100%; padding: 9px 12px; font-size: 16px; background: var(--surface); border: 1px solid var(--line); border-radius: 10px; resize: none; field-sizing: content; max-height: 130px; }
::placeholder { color: var(--muted); opacity: 1; }
.composer { display: flex; align-items: end; gap: 4px; padding: 8px; border-top: 1px solid var(--line); }
.composer textarea { border-color: transparent; outline: 1px solid var(--line); }
.composer textarea:focus { outline-color: var(--muted); }
.composer button { padding: 8px; border-radius: 50%; color: var(--muted); }
.composer button:last-child { background: var(--accent); color: var(--accent_text); }
@container (max-height: 420px) {
  .head { padding: 6px 12px; }
  .faces, .head p:not(.online), .links { display: none; }
  .log { padding-block: 4px; }
  textarea { max-height: 30cqh; }
}
@container (max-height: 200px) {
  .head p, .typing { display: none; }
  .head { padding-block: 0; }
  .composer { padding-block: 2px; }
}
:dir(rtl) > .composer button:last-child svg { transform: scaleX(-1); }
`;
