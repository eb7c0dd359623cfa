const rules = `
.head { flex-wrap: wrap; }
.links { flex: 0 0 100%; display: flex; flex-wrap: wrap; gap: 6px; margin-top: -4px; }
.links a { display: grid; place-items: center; width: 32px; height: 32px; border-radius: 50%; color: inherit; background: color-mix(in srgb, currentColor 16%, transparent); }
.links a:hover { background: color-mix(in srgb, currentColor 30%, transparent); }
.links svg { width: 20px; height: 20px; fill-rule: evenodd; }
`;

const HANDSET =
  "M8.5 7.7c.5-.6 1.2-.6 1.5 0l.8 1.5c.2.4 0 .8-.5 1.3.6 1.3 1.4 2.1 2.8 2.8.5-.5.9-.7 1.3-.5l1.6.8c.5.3.5 1-.1 1.5-1.2 1.2-3 .8-5-.7s-3.6-4.3-2.4-6.7z";

/** Names are the messengers' own; the pictures are drawn by us. */
const MESSENGERS = {
  tg: ["Telegram", "M2 11.5L22 4l-3 16-6-4.5-3 3.5-1-6 8-6.5-10 5.5z"],
  vk: ["VK", "M2 7h2.7l2.5 7 2.5-7h2.6L8.6 17H5.8zM13 7h2.5v4l3.3-4h3L18 11.5l4.2 5.5h-3.1L15.5 12.3V17H13z"],
  wa: ["WhatsApp", `M12 2.5a9.5 9.5 0 0 0-8.2 14.3L2.5 21.5l4.8-1.3A9.5 9.5 0 1 0 12 2.5z${HANDSET}`],
  vb: ["Viber", `M6 2.5h12a3.5 3.5 0 0 1 3.5 3.5v9a3.5 3.5 0 0 1-3.5 3.5h-5L9 22v-3.5H6A3.5 3.5 0 0 1 2.5 15V6A3.5 3.5 0 0 1 6 2.5z${HANDSET}`],
  fb: ["Messenger", "M12 3C6.5 3 2.5 6.7 2.5 11.2c0 2.5 1.2 4.7 3.3 6.2v4l3.6-2c.8.2 1.7.3 2.6.3 5.5 0 9.5-3.8 9.5-8.5S17.5 3 12 3zM6 13.7l5-5.2 2.5 2.5L18 8.5l-5 5.2-2.5-2.5z"],
  ok: [
    "OK",
    "M12 2a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9zm0 2.5a2 2 0 1 0 0 4 2 2 0 0 0 0-4zM6.5 13.3l1.2-2.1c2.6 1.7 6 1.7 8.6 0l1.2 2.1c-1.1.8-2.4 1.3-3.7 1.5l3.5 3.7-1.8 1.8L12 16.7l-3.5 3.6-1.8-1.8 3.5-3.7c-1.3-.2-2.6-.7-3.7-1.5z",
  ],
  mx: ["MAX", "M12 2.5a9.5 9.5 0 1 1-4.2 18L3 21.5l1.2-4.7A9.5 9.5 0 0 1 12 2.5zm0 5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9z"],
  cian: ["Циан", "M12 1.5a8 8 0 0 1 8 8c0 5.5-8 13-8 13s-8-7.5-8-13a8 8 0 0 1 8-8zM12 5.2L7.7 9v4.5h8.6V9z"],
  ali: [
    "AliExpress",
    "M8 7.5V6a4 4 0 0 1 8 0v1.5h3.5l1.5 14H3l1.5-14zm2 0h4V6a2 2 0 0 0-4 0zM7.8 11a4.2 5 0 0 0 8.4 0h-1.8a2.4 3 0 0 1-4.8 0z",
  ],
};

/** By language: to write in a messenger, `#`. */
const WRITE = {
  ru: "Написать в #",
  en: "Write in #",
  el: "Γράψτε στο #",
  de: "In # schreiben",
  es: "Escribir por #",
  ar: "اكتب عبر #",
  zh: "通过 # 联系",
};

/** Other ways to write, for the header. @param {any} chat @param {{code: string, url: string}[]} messengers */
export const links = ({ h, icon, style, settings, connection, thread }, messengers) => {
  style(rules);
  /** Carries the chat over, where there is one. */
  const goOn = (event) => {
    if (!thread.cursor) return;
    event.preventDefault();
    const { href } = event.currentTarget;
    const tab = open();
    const go = (url) => (tab ?? window).location.assign(url);
    if (tab) tab.opener = null;
    connection.post("continue", { channel: "tg" }).then(({ url }) => go(url), () => go(href));
  };
  const shown = messengers.filter(({ code, url }) => MESSENGERS[code] && /^(https?|viber):\/\//i.test(url));
  return h(
    "div",
    { class: "links", role: "group", "aria-label": WRITE[settings.language].replace("#", "…") },
    ...shown.map(({ code, url }) => {
      const [name, path] = MESSENGERS[code];
      const label = WRITE[settings.language].replace("#", name);
      return h("a", { href: url, title: label, "aria-label": label, target: "_blank", rel: "noopener noreferrer", onclick: code === "tg" ? goOn : null }, icon(path));
    }),
  );
};
