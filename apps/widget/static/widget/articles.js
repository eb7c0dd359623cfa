const rules = `
.begin > .help { flex: 1 0 100%; display: grid; gap: var(--p-2); }
.help form { display: flex; gap: var(--p-2); }
.help input, .voice textarea { width: 100%; min-width: 0; min-height: 44px; padding: 6px var(--p-3); background: var(--surface); border: 1px solid var(--edge); border-radius: var(--p-r-m); font-size: var(--p-l); }
.panel .help form button { flex: none; width: 44px; padding: 0; border-radius: var(--p-r-m); }
.found { display: grid; padding: 0; list-style: none; }
.panel .found button { width: 100%; min-height: 44px; padding: var(--p-1) var(--p-2); border: 0; border-radius: var(--p-r-m); text-align: start; overflow-wrap: anywhere; unicode-bidi: plaintext; }
.panel .found li + li { border-top: 1px solid var(--line); }
.found small { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow: hidden; color: var(--muted); font-size: var(--p-s); line-height: var(--p-s-line); }
.suggested { flex: none; max-height: 40cqh; overflow-y: auto; margin: 0 var(--p-2); border: 1px solid var(--line); border-radius: var(--p-r-l); font-size: var(--p-m); line-height: var(--p-m-line); }
.suggested small { -webkit-line-clamp: 1; }
.reading > :not(.head, .lost, .article) { display: none; }
.article { flex: 1 0 0; min-height: 0; display: flex; flex-direction: column; align-items: start; }
.article > button { display: flex; gap: var(--p-1); align-items: center; min-height: 44px; margin: var(--p-1); padding: 0 var(--p-3) 0 var(--p-2); font-weight: 500; }
.article > button:dir(rtl) svg { transform: scaleX(-1); }
.article > div { width: 100%; overflow-y: auto; overscroll-behavior: contain; padding: 0 var(--p-4) var(--p-4); overflow-wrap: anywhere; }
.article h3, .article h4, .article h5, .article h6 { margin-top: var(--p-4); font-weight: 600; }
.panel .article h3 { margin-top: 0; font-size: var(--p-xl); line-height: var(--p-xl-line); outline: 0; }
.article .text { white-space: normal; unicode-bidi: normal; }
.article .text > * { margin-top: var(--p-3); }
.article .text li { margin-top: var(--p-1); white-space: normal; }
.article .text p { padding: 0; }
.article img { max-width: 100%; height: auto; border-radius: var(--p-r-m); }
.article .text > .wide { overflow-x: auto; }
.article table { border-collapse: collapse; font-size: var(--p-m); }
.article :is(th, td) { padding: var(--p-1) var(--p-2); border: 1px solid var(--line); text-align: start; vertical-align: top; overflow-wrap: normal; }
.article th { font-weight: 600; }
.article .link { padding: 0; text-align: start; text-decoration: underline; }
.voice { display: grid; gap: var(--p-2); margin-top: var(--p-5); padding-top: var(--p-3); border-top: 1px solid var(--line); font-size: var(--p-m); line-height: var(--p-m-line); }
.voice form { display: grid; gap: var(--p-2); }
.voice div { display: flex; flex-wrap: wrap; align-items: center; gap: var(--p-2); }
.voice button { min-height: 44px; padding: 0 var(--p-3); border-color: var(--edge); }
.voice + p { margin-top: var(--p-3); font-size: var(--p-m); }
.voice [aria-pressed=true] { background: var(--accent); border-color: var(--accent); color: var(--accent_text); }
`;
const ARROW = "M15 6l-6 6 6 6";
const LENS = "M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM16 16l4 4";
// Milliseconds after the last key, and characters, before articles are suggested; as many are.
const PAUSE = 800;
const ENOUGH = 12;
const SUGGESTED = 3;
const REASONS = ["wrong", "unclear", "missing", "other"];
const LONGEST = 500;
const MOST_ASKED = 200;
// Addresses besides those of the web that links and pictures may have, as they stand in their marks.
const OWN = /(?<=\]\()(article:\d{1,18}|(?:mailto|tel):[^\s()<>]+|\/[^\s()<>\\]+)(?=\)| ")/g;

/** Calls the server about articles; a failure is null. */
const call = async ({ config: { base_url, guid }, known }, path, body, method = body && "POST") => {
  const bearer = body?.key && known();
  const headers = { ...(body && { "Content-Type": "application/json" }), ...(bearer && { Authorization: `Visitor ${bearer}` }) };
  try {
    const response = await fetch(`${base_url}/widget/${guid}/articles${path}`, { method, headers, body: body && JSON.stringify(body), credentials: "omit" });
    return response.status === 200 ? (await response.json()).data : null;
  } catch {
    return null;
  }
};

/** The browser's own key, as offers of invitations have it. */
const keyOf = ({ storage }) => {
  const key = storage.get("key") ?? URL.createObjectURL(new Blob()).slice(-36).replace(/-/g, "");
  storage.set("key", key);
  return key;
};

/** The articles to choose from. */
const listOf = (chat, found) => {
  const { h } = chat;
  const row = ({ id, lang, title, summary }) => h("li", { lang }, h("button", { type: "button", onclick: () => read(chat, id) }, title, summary && h("small", null, summary)));
  return h("ul", { class: "found" }, ...found.map(row));
};

/** Suggests articles above the composer while the first message is written; `isFirst`: whether it still is. */
const suggest = (chat, isFirst) => {
  const { composer, h, input, log, settings, words } = chat;
  const region = h("section", { class: "suggested", "aria-label": words.articles[1] });
  let timer, asked;
  const show = (found) => {
    region.replaceChildren();
    region.remove();
    if (!found?.[0] || !isFirst()) return;
    region.append(listOf(chat, found.slice(0, SUGGESTED)));
    composer.before(region);
  };
  const look = async () => {
    const q = input.value.trim().slice(0, MOST_ASKED);
    if (q === asked) return;
    asked = q;
    const found = q.length < ENOUGH ? null : await call(chat, "/search", { q, lang: settings.language, limit: SUGGESTED, purpose: "suggestion" });
    // Else an answer to older words overtakes.
    if (q === asked) show(found);
  };
  input.addEventListener("input", () => {
    clearTimeout(timer);
    if (input.value.trim().length < ENOUGH) look();
    else if (isFirst()) timer = setTimeout(look, PAUSE);
  });
  new MutationObserver(() => isFirst() || show()).observe(log, { childList: true, subtree: true });
};

/** Fills `node`, where a chat begins, with the search and the articles that are read most; not where there are none. */
export const offer = async (chat, node) => {
  const { h, icon, settings, style, words } = chat;
  const [search, , , nothing] = words.articles;
  const most = await call(chat, `?lang=${settings.language}`);
  if (!most?.[0]) return;
  style(rules);
  const found = h("div", { role: "status" }, listOf(chat, most));
  const input = h("input", { type: "search", maxlength: MOST_ASKED, placeholder: search, "aria-label": search });
  const onsubmit = async (event) => {
    event.preventDefault();
    const q = input.value.trim();
    const rows = q ? await call(chat, "/search", { q, lang: settings.language, limit: 10, purpose: "search", key: keyOf(chat) }) : most;
    found.replaceChildren(rows?.[0] ? listOf(chat, rows) : nothing);
  };
  node.append(h("form", { role: "search", onsubmit }, input, h("button", { title: search, "aria-label": search }, icon(LENS))), found);
  if (settings.help.mode === "suggest") suggest(chat, () => node.isConnected);
};

/** The question whether an article helped; a thumb down may say why. */
const voiceOf = (chat, { id, lang }) => {
  const { h, storage, words } = chat;
  const [, , , , question, comment, ...labels] = words.articles;
  const key = `article:${id}`;
  let reason;
  const status = h("p", { role: "status", tabindex: -1 });
  const text = h("textarea", { rows: 2, maxlength: LONGEST, placeholder: comment, "aria-label": comment });
  const tell = async (helpful) => {
    const body = { key: keyOf(chat), lang, helpful, ...(helpful === false && { reason, text: text.value.trim() || undefined }) };
    storage.set(key, helpful);
    show();
    await call(chat, `/${id}/feedback`, body, "PUT");
  };
  const press = (helpful) => () => {
    const given = storage.get(key) === helpful ? null : helpful;
    tell(given);
    status.textContent = given ? words.thanks : "";
    if (given !== null) chat.app.fire("article", { id, state: given ? "helpful" : "not_helpful" });
  };
  const thumbs = [true, false].map((helpful) => h("button", { type: "button", onclick: press(helpful) }, words.answers[helpful ? 3 : 4]));
  const reasons = REASONS.map((value, index) => h("button", { type: "button", onclick: () => {
    reason = value;
    tell(false);
  } }, labels[index]));
  const why = h("form", { onsubmit: (event) => {
    event.preventDefault();
    tell(false);
    why.hidden = true;
    status.textContent = words.thanks;
    status.focus();
  } }, h("div", { role: "group", "aria-label": question }, ...reasons), text, h("div", null, h("button", null, words.done)));
  const show = () => {
    const helpful = storage.get(key) ?? null;
    thumbs.forEach((thumb, down) => thumb.setAttribute("aria-pressed", helpful === !down));
    reasons.forEach((button, index) => button.setAttribute("aria-pressed", REASONS[index] === reason));
    why.hidden = helpful !== false;
  };
  show();
  return h("div", { class: "voice" }, h("div", { role: "group", "aria-label": question }, h("b", null, question), ...thumbs), why, status);
};

/** Keeps unseen what comes while an article covers the conversation; its number stands at the way back. */
const cover = (chat) => {
  const { app, show, words } = chat;
  chat.reading = {};
  const covered = () => chat.reading.node?.isConnected;
  chat.isOpen = () => app.isOpen() && !covered();
  chat.drawLauncher = () => {
    app.drawLauncher();
    if (covered()) chat.reading.label.textContent = words.articles[2] + (app.unread ? ` (${app.unread})` : "");
  };
  chat.show = (quietly) => {
    show(quietly);
    if (covered() && !quietly) chat.reading.heading.focus();
  };
};

/** Shows an article in place of the conversation. */
export const read = async (chat, id) => {
  const { app, config: { base_url }, h, icon, load, panel, settings, style, words } = chat;
  const [article, { render }, { parts }] = await Promise.all([call(chat, `/${id}?lang=${settings.language}`), load("./markdown.js"), load("../chats/links.js")]);
  if (!article || !panel.isConnected) return;
  style(rules);
  if (!chat.reading) cover(chat);
  const { lang, markdown, title, url } = article;
  const link = (address, _, text) => {
    const other = /^article:(\d+)$/.exec(address);
    if (other) return h("button", { type: "button", class: "link", onclick: () => read(chat, +other[1]) }, text);
    const isWeb = /^https?:\/\//i.test(address);
    return isWeb || /^(mailto|tel):/.test(address) ? h("a", { href: address, target: isWeb ? "_blank" : null, rel: "noopener noreferrer" }, text) : text;
  };
  // Of our uploads alone: no third party is asked.
  const picture = (address, alt) => {
    const { href: src } = h("a", { href: address[0] === "/" ? base_url + address : address });
    return src.startsWith(`${base_url}/files/articles/`) && h("img", { src, alt, loading: "lazy" });
  };
  const apart = (text) => text.split(OWN).flatMap((part, index) => (index % 2 ? part : parts(part)));
  const text = h("div", { class: "text" }, ...render(markdown, { h, link, parts: apart, picture, style }));
  const before = chat.reading.node?.isConnected ? chat.reading : { opener: /** @type {ShadowRoot} */ (panel.getRootNode()).activeElement };
  const back = () => {
    node.remove();
    panel.classList.remove("reading");
    chat.draw();
    (before.opener?.checkVisibility() ? before.opener : chat.input).focus();
  };
  const heading = h("h3", { tabindex: -1 }, title);
  const label = h("span", null, words.articles[2]);
  const open = url && h("p", null, h("a", { href: url, target: "_blank", rel: "noopener noreferrer" }, words.articles[10]));
  const node = h("section", { class: "article", "aria-label": title }, h("button", { type: "button", onclick: back }, icon(ARROW), label), h("div", { lang, dir: "auto" }, heading, text, voiceOf(chat, article), open));
  before.node?.remove();
  chat.reading = { heading, label, node, opener: before.opener };
  panel.classList.add("reading");
  panel.append(node);
  heading.focus();
  app.fire("article", { id, state: "opened" });
  call(chat, `/${id}/reads`, { key: keyOf(chat), lang });
};
