export const styles = `
/* Rules of the page win over the host's. */
:host { all: initial !important; display: contents !important; }
.frame {
  --accent: #3451d1; --ink: #1b2130; --soft: #596175; --paper: #fff; --tint: #f1f3f8; --line: #dfe3ec; --focus: #3451d1; --bad: #b3261e;
  position: fixed; z-index: 2147483000; bottom: var(--y); right: var(--x); color: var(--ink); color-scheme: light dark; font: 15px/1.45 system-ui, sans-serif;
}
[class*=left] { right: auto; left: var(--x); }
[hidden] { display: none !important; }
* { box-sizing: border-box; margin: 0; font: inherit; color: inherit; }
button { background: none; border: 1px solid transparent; border-radius: 10px; padding: 6px 10px; cursor: pointer; }
:focus-visible { outline: 2px solid var(--focus); outline-offset: 2px; }
svg { width: 24px; display: block; fill: currentColor; }
.launcher {
  width: var(--size); height: var(--size); display: grid; place-items: center; padding: 0; border-radius: 50%;
  background: var(--accent); color: #fff; box-shadow: 0 6px 24px #0004; transition: transform .15s;
}
.launcher:hover { transform: scale(1.05); }
.launcher svg { width: 48%; }
.badge { position: absolute; top: -4px; right: -4px; min-width: 22px; border-radius: 11px; background: #b3261e; font: 600 12px/22px system-ui; }
.panel {
  width: 384px; height: min(640px, calc(100dvh - 2 * var(--y))); display: flex; flex-direction: column; overflow: clip; outline: 0;
  background: var(--paper); border: 1px solid var(--line); border-radius: 18px; box-shadow: 0 16px 48px #0003; animation: rise .18s;
}
.drop { outline: 3px dashed; outline-offset: -8px; }
@keyframes rise { from { opacity: 0; transform: translateY(12px); } }
header { display: flex; gap: 12px; padding: 16px; background: #273da6; color: #fff; --focus: #fff; font-size: 13px; }
header div:nth-child(2) { flex: 1; }
header button { align-self: start; font-size: 18px; }
h2 { font-size: 17px; font-weight: 600; }
.faces { display: flex; }
.faces:empty, .rating:empty { display: none; }
p:empty { padding: 0 !important; }
.face { width: 40px; height: 40px; object-fit: cover; border-radius: 50%; border: 2px solid #273da6; background: #e7ebfb; color: #1b2130; font-weight: 600; line-height: 36px; text-align: center; }
.face + .face { margin-inline-start: -14px; }
.online::before { content: ""; display: inline-block; width: 8px; height: 8px; margin-inline-end: 6px; border-radius: 50%; background: #5ee6a0; }
.lost { padding: 6px; background: #fff2d6; color: #5c4400; font-size: 13px; text-align: center; }
.log { flex: 1; min-height: 96px; display: flex; flex-direction: column-reverse; overflow-y: auto; overscroll-behavior: contain; padding: 8px 16px 16px; outline-offset: -2px; }
.log > div { margin-bottom: auto; }
.note { margin: 14px 0; color: var(--soft); font-size: 12px; text-align: center; }
.row { position: relative; display: flex; flex-direction: column; align-items: start; margin-top: 3px; }
.first { margin-top: 12px; }
.mine { align-items: end; }
.hear { position: absolute; opacity: 0; font-size: 1px; pointer-events: none; }
.who, .meta, .typing { padding: 2px 4px; color: var(--soft); font-size: 12px; }
.meta button { padding: 0; font-weight: 600; text-decoration: underline; }
.failed .meta { color: var(--bad); }
.bubble { display: grid; gap: 8px; max-width: 82%; padding: 9px 13px; border-radius: 16px; background: var(--tint); overflow-wrap: anywhere; }
.theirs .bubble { border-end-start-radius: 5px; }
.mine .bubble { background: var(--accent); color: #fff; border-end-end-radius: 5px; --focus: #fff; }
.sending .bubble { opacity: .8; }
.text, textarea, header p, h2 { unicode-bidi: plaintext; }
.text { white-space: pre-wrap; }
img.image { display: block; max-width: 100%; max-height: 260px; border-radius: 10px; }
.bubble.sticker { background: none; padding: 0; font-size: 48px; }
img.sticker { width: 120px; }
.key { padding: 8px 14px; border-radius: 10px; border: 1px solid var(--accent); background: var(--accent); color: #fff; font-weight: 600; text-align: center; text-decoration: none; }
.secondary { background: none; color: inherit; border-color: var(--soft); }
.typing { padding: 0 20px 8px; }
.rating, details { padding: 12px 16px; border-top: 1px solid var(--line); text-align: center; }
details { overflow-y: auto; text-align: start; }
summary { cursor: pointer; font-weight: 600; font-size: 14px; }
details form { display: grid; gap: 8px; margin-top: 10px; }
input, textarea { width: 100%; padding: 9px 12px; font-size: 16px; background: var(--paper); border: 1px solid var(--line); border-radius: 10px; resize: none; field-sizing: content; max-height: 130px; }
::placeholder { color: var(--soft); opacity: 1; }
.composer { display: flex; align-items: end; padding: 8px; border-top: 1px solid var(--line); }
.composer textarea { border-color: transparent; }
.composer button { padding: 9px; color: var(--focus); }
:dir(rtl) .composer svg { transform: scaleX(-1); }
@media (max-width: 480px) {
  .panel { position: fixed; inset: 0; width: auto; height: var(--height, 100dvh); border: 0; border-radius: 0; }
}
@media (prefers-color-scheme: dark) {
  .frame { --ink: #e9ebf2; --soft: #a4acbf; --paper: #171b25; --tint: #262c3a; --line: #363e50; --focus: #a9b8ff; --bad: #ff8a80; }
}
@media (prefers-reduced-motion) { * { animation: none !important; transition: none !important; } }
`;
