const rules = `
.begin { display: flex; flex-wrap: wrap; gap: 8px; margin-top: 14px; }
.begin a { padding: 7px 13px; border: 1px solid var(--accent); border-radius: 18px; background: var(--surface); color: var(--text); text-decoration: none; }
.begin a:hover { background: var(--bubble); color: var(--bubble_text); }
.begin label { flex: 1 0 100%; font-size: 13px; color: var(--muted); }
.begin select { display: block; width: 100%; margin-top: 4px; padding: 9px 12px; border: 1px solid var(--line); border-radius: 10px; background: var(--surface); color: var(--text); font-size: 16px; }
.preview {
  position: absolute; bottom: calc(var(--offset_y) + var(--size) + 12px); right: var(--offset_x); width: max-content; max-width: min(280px, 100vw - 2 * var(--offset_x) - 8px);
  display: flex; align-items: start; background: var(--surface); color: var(--text); border: 1px solid var(--line); border-radius: 14px; box-shadow: 0 6px 24px #0003;
}
.left .preview { right: auto; left: var(--offset_x); }
.preview button { padding: 10px 12px; text-align: start; overflow-wrap: anywhere; unicode-bidi: plaintext; }
`;
const PREVIEWED = 120;
const CROSS = "M6.4 5L12 10.6 17.6 5 19 6.4 13.4 12 19 17.6 17.6 19 12 13.4 6.4 19 5 17.6 10.6 12 5 6.4z";
const NAMES = { tg: "Telegram", vk: "VK", wa: "WhatsApp", vb: "Viber", fb: "Messenger", av: "Avito", mx: "MAX", ok: "OK", apple: "Apple Messages" };

/** What a chat begins with: a department, other ways to write. */
export const begin = (chat) => {
  const { h, settings, style, t } = chat;
  style(rules);
  const { departments, messengers = [], widget_show_departments, widget_show_messengers } = settings;
  const chooses = widget_show_departments && departments[1];
  const options = [{ id: "", name: "—" }, ...departments].map(({ id, name }) => h("option", { value: id }, name));
  const choose = ({ target }) => (chat.department_id = +target.value || undefined);
  const links = widget_show_messengers ? messengers.filter(({ url }) => /^https:\/\//.test(url)) : [];
  return h(
    "div",
    { class: "begin" },
    chooses && h("label", null, t.department, h("select", { onchange: choose }, ...options)),
    ...links.map(({ code, url }) => h("a", { href: url, target: "_blank", rel: "noopener noreferrer" }, NAMES[code] ?? code)),
  );
};

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
