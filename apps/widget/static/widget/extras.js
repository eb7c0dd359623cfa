const rules = `
.preview {
  position: absolute; bottom: calc(var(--offset_y) + var(--size) + 12px); right: var(--offset_x); width: max-content; max-width: min(280px, 100vw - 2 * var(--offset_x) - 8px);
  display: flex; align-items: start; background: var(--surface); color: var(--text); border: 1px solid var(--line); border-radius: 14px; box-shadow: 0 6px 24px #0003;
}
.left .preview { right: auto; left: var(--offset_x); }
.preview button { padding: 10px 12px; text-align: start; overflow-wrap: anywhere; unicode-bidi: plaintext; }
`;
const PREVIEWED = 120;
const CROSS = "M6.4 5L12 10.6 17.6 5 19 6.4 13.4 12 19 17.6 17.6 19 12 13.4 6.4 19 5 17.6 10.6 12 5 6.4z";

const tone = () => {
  const sound = new AudioContext();
  const [source, volume] = [sound.createOscillator(), sound.createGain()];
  source.frequency.value = 880;
  volume.gain.setValueAtTime(0.08, sound.currentTime);
  volume.gain.exponentialRampToValueAtTime(0.001, sound.currentTime + 0.4);
  source.connect(volume).connect(sound.destination);
  source.start();
  source.stop(sound.currentTime + 0.4);
  source.onended = () => sound.close();
};

/** An answer that nobody looks at: a tone, and its beginning beside the launcher. */
export const announce = (chat, message, isLive) => {
  const { content, h, icon, launcher, open, settings, style, t, thread } = chat;
  if (isLive && settings.widget_sound) tone();
  if (!settings.widget_show_preview || chat.isOpen() || !thread.unread()) return;
  style(rules);
  const whole = h("p", null, ...content(message)).textContent;
  const text = [...whole].slice(0, PREVIEWED).join("") + (whole.length > PREVIEWED ? "…" : "");
  chat.preview?.remove();
  chat.preview = h(
    "div",
    { class: "preview", role: "status" },
    h("button", { onclick: () => open() }, text),
    h("button", { "aria-label": t.dismiss, onclick: () => chat.preview.remove() }, icon(CROSS)),
  );
  launcher.after(chat.preview);
};
