const rules = `
.bubble:has(img.image) { max-width: min(100%, 280px); padding: var(--p-1); }
.bubble:has(img.image) .text { padding: 0 var(--p-2) var(--p-1); }
a:has(img) { min-width: 44px; min-height: 44px; }
img.image { display: block; max-width: min(100%, 272px); max-height: 280px; border-radius: var(--p-r-l); }
.bubble.sticker { background: none; padding: 0; font-size: var(--p-12); line-height: 1; }
img.sticker { width: 120px; }
.bubble .key { display: grid; place-items: center; min-height: var(--p-control); padding: var(--p-1) var(--p-3); border: 1px solid var(--accent); border-radius: var(--p-r-m); background: var(--accent); color: var(--accent_text); font-weight: 500; text-align: center; text-decoration: none; }
.bubble .secondary { background: none; color: inherit; border-color: var(--edge); }
.mine .bubble .key { border-color: currentColor; }
.tile { display: grid; grid-template-columns: 20px minmax(0, 1fr); gap: 0 var(--p-3); align-items: center; width: min(240px, 60cqw); min-height: 44px; text-decoration: none; }
.panel .tile svg { grid-row: span 2; width: 20px; }
.tile span { display: flex; min-width: 0; white-space: nowrap; }
.tile b { overflow: hidden; font-weight: 500; text-overflow: ellipsis; }
.tile i { flex: none; font-style: normal; font-weight: 500; }
.tile small { font-size: var(--p-s); line-height: var(--p-s-line); }
`;
const SHEET = "M6 3h8l5 5v13H6zM14 3v5h5";
/** @type {[RegExp, string][]} The picture of a kind of file, by the end of its name. */
const KINDS = [
  [/\.(png|jpe?g|gif|webp|avif|heic|svg|bmp|tiff?)$/i, "M4 5h16v14H4zM4 16l5-5 4 4 3-3 4 4M15 9h.01"],
  [/\.(mp3|m4a|ogg|oga|wav|flac|opus|aac)$/i, "M9 18V6l10-2v12M9 18a2.500 2.500 0 1 1-5 0 2.500 2.500 0 0 1 5 0zM19 16a2.500 2.500 0 1 1-5 0 2.500 2.500 0 0 1 5 0z"],
  [/\.(mp4|mov|webm|avi|mkv|m4v)$/i, "M4 6h11v12H4zM15 11l5-3v8l-5-3"],
  [/\.(zip|rar|7z|gz|tar|tgz)$/i, "M4 8h16v12H4zM4 8l2-4h12l2 4M12 8v6"],
  [/\.(xlsx?|ods|csv|tsv)$/i, `${SHEET}M9 12h7v6H9zM12.500 12v6M9 15h7`],
  [/\.(pdf|docx?|odt|rtf|txt|md)$/i, `${SHEET}M9 13h7M9 17h5`],
];
// Signs: of a name, those that stay in sight at its end; of an address, its longest.
const END = 9;
const LONGEST = 48;

/** A size as its reader writes it. */
const sizeOf = (bytes, language) => {
  const isLarge = bytes >= 1024 * 1024;
  const value = isLarge ? bytes / 1024 / 1024 : Math.ceil(bytes / 1024);
  const style = { style: "unit", unit: isLarge ? "megabyte" : "kilobyte", unitDisplay: "short", maximumFractionDigits: 1 };
  return value.toLocaleString(language, /** @type {any} */ (style)).toLocaleUpperCase(language);
};

/** A text without its middle, where it is long. */
const shortened = (text) => {
  const signs = [...text];
  return signs.length > LONGEST ? `${signs.slice(0, LONGEST - 16).join("")}…${signs.slice(-15).join("")}` : text;
};

/** The parts that show a file: the picture of its kind, its name in one line with the end kept, its size. */
const tileOf = ({ h, icon, settings }, name = "", size) => {
  const signs = [...name];
  const cut = signs.length > 2 * END ? signs.length - END : signs.length;
  const [start, end] = [signs.slice(0, cut).join(""), signs.slice(cut).join("")];
  return [
    icon(KINDS.find(([kind]) => kind.test(name))?.[1] ?? SHEET),
    h("span", { dir: "auto" }, h("b", null, start), end && h("i", null, end)),
    size > 0 && h("small", null, ` ${sizeOf(size, settings.language)}`),
  ];
};

const safe = (url) => (/^https?:\/\//i.test(url) ? url : undefined);

/** Adds all of a message besides plain words: their links and marks; above them a picture, a file, a sticker, a place; below them buttons. */
export const add = async (chat, node, message) => {
  const { h, load, style } = chat;
  const { body, type, name, url, file, coords, sticker, keyboard, markdown } = message;
  style(rules);
  const linkTo = (url, attributes, ...children) =>
    h("a", { href: safe(url), target: "_blank", rel: "noopener noreferrer", ...attributes }, ...children);
  /** An address that stands for itself is shortened in its middle. */
  const link = (url, className, text) => linkTo(url, { class: className, title: text === url && text !== shortened(text) ? url : null }, text === url ? shortened(text) : text);
  /** A picture, or `instead` where none loads. */
  const picture = (url, className, alt, instead) => {
    if (!safe(url)) return instead;
    const image = h("img", { src: url, class: className, alt, onerror: () => image.replaceWith(instead) });
    return image;
  };
  const above = [];
  if (type === "image" || type === "file") {
    const label = file?.name ?? name;
    const tile = () => {
      const parts = tileOf(chat, label, file?.size);
      const name = [label, file?.size > 0 && parts[2].textContent].filter(Boolean).join("");
      return linkTo(url, { class: "tile", title: label, "aria-label": name }, ...parts);
    };
    /** @type {any} */
    const large = linkTo(url, null, h("img", { src: safe(url), class: type, alt: label, onerror: () => large.replaceWith(tile()) }));
    above.push(type === "image" && safe(url) ? large : tile());
  }
  if (type === "sticker") above.push(picture(sticker?.url, type, "☺", "☺"));
  if (type === "location" && coords) {
    const { lat, lng } = coords;
    above.push(link(`https://www.openstreetmap.org/?mlat=${lat}&mlon=${lng}`, null, `📍 ${lat}, ${lng}`));
  }
  const buttons = keyboard?.buttons ?? [];
  const words = [...node.children].filter(({ className }) => className === "text");
  // In front of the parts that answers.js adds below.
  node.prepend(...above, ...words, ...buttons.map(({ label, url, style }) => link(url, `key ${style}`, label)));
  if (!body) return;
  const [{ parts }, marks] = await Promise.all([load("../chats/links.js"), markdown && load("./markdown.js")]);
  const linked = () => parts(body).map((part, index) => (index % 2 ? link(part, null, part) : part));
  words[0].replaceChildren(...(marks ? marks.render(markdown, { h, link, parts, style }) : linked()));
};
