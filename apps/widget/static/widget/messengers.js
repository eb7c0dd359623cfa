const rules = `
.about { display: grid; gap: var(--p-2); justify-items: start; margin-top: var(--p-3); padding-inline-start: 36px; color: var(--muted); font-size: var(--p-s); line-height: var(--p-s-line); overflow-wrap: anywhere; }
.head .about { position: absolute; z-index: 1; top: 100%; inset-inline: auto var(--p-2); max-width: calc(100% - var(--p-4)); margin: var(--p-1) 0 0; padding: var(--p-3) var(--p-4); background: var(--surface); border: 1px solid var(--line); border-radius: var(--p-r-l); box-shadow: 0 var(--p-1) var(--p-4) var(--shade); --focus: var(--text); }
.about p { white-space: normal; }
.head [aria-expanded] svg { stroke-width: 4; }
.links { display: flex; flex-wrap: wrap; gap: var(--p-2); }
.links a { display: grid; width: 44px; height: 44px; border-radius: 50%; background: var(--bubble); color: var(--bubble_text); }
.links a:hover { box-shadow: inset 0 0 0 1px var(--edge); }
.links svg { fill: currentColor; stroke: none; }
`;
const DOTS = "M5 12h.01M12 12h.01M19 12h.01";

/** Other ways to write. @param {any} chat @param {{code: string, url: string, name: string, picture: string, continues: boolean}[]} messengers */
const linksOf = ({ h, icon, connection, thread, words }, messengers) => {
  /** Carries the chat over, where there is one. */
  const goOn = (channel) => (event) => {
    if (!thread.cursor) return;
    event.preventDefault();
    const { href } = event.currentTarget;
    const tab = open();
    const go = (url) => (tab ?? window).location.assign(url);
    if (tab) tab.opener = null;
    connection.post("continue", { channel }).then(({ url }) => go(url), () => go(href));
  };
  const shown = messengers.filter(({ url, picture }) => picture && /^(https?|viber):\/\//i.test(url));
  return h(
    "div",
    { class: "links", role: "group", "aria-label": words.write.replace("#", "…") },
    ...shown.map(({ code, url, name, picture, continues }) => {
      const label = words.write.replace("#", name);
      return h("a", { href: url, title: label, "aria-label": label, target: "_blank", rel: "noopener noreferrer", onclick: continues ? goOn(code) : null }, icon(picture));
    }),
  );
};

/** The shop's line and the other ways to write: under the greeting until the first message, then behind the head's dots. @param {any} chat @param {any[]} messengers */
export const tell = (chat, messengers) => {
  const { draw, h, head, icon, settings, style, words } = chat;
  const { widget_signature: signature } = settings;
  style(rules);
  const node = h("div", { class: "about" }, signature && h("p", null, h("bdi", null, signature)), messengers[0] && linksOf(chat, messengers));
  const show = (isShown) => {
    more.setAttribute("aria-expanded", isShown);
    if (isShown) more.after(node);
    else if (node.parentNode === head) node.remove();
  };
  const toggle = () => show(more.getAttribute("aria-expanded") !== "true");
  const more = h("button", { title: words.more, "aria-label": words.more, "aria-expanded": "false", onclick: toggle }, icon(DOTS));
  head.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || node.parentNode !== head) return;
    event.stopPropagation();
    show(false);
    more.focus();
  });
  head.addEventListener("focusout", ({ relatedTarget }) => relatedTarget && relatedTarget !== more && !node.contains(relatedTarget) && show(false));
  /** The lines in the log, before anything `begun`. */
  chat.about = (begun) => {
    if (begun && !more.parentNode) head.lastChild.before(more);
    if (!begun) more.remove();
    return begun ? null : node;
  };
  draw();
};
