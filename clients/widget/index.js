// Loads the chat as the snippet of the guide does: a stub whose calls wait, and the script. Apache-2.0.

const CALLS = "open close toggle identify setAttributes setLanguage reset track consent showInvitation whyNot openArticle on off".split(" ");
const NOTHING = { ...Object.fromEntries(CALLS.map((name) => [name, () => () => {}])), whyNot: async () => [] };

export function load({ baseUrl, widget, language, nonce, consent = true }) {
  if (typeof window === "undefined") return NOTHING;
  stub();
  const src = `${baseUrl.replace(/\/+$/, "")}/widget/${widget}/embed.js`;
  const isThere = [...document.scripts].some((script) => script.src === src);
  if (!isThere || window.Parley.failed) {
    const script = document.createElement("script");
    script.async = true;
    script.src = src;
    if (language) script.dataset.lang = language;
    if (!consent) script.dataset.consent = "off";
    if (nonce) script.nonce = nonce;
    document.head.append(script);
  }
  return live;
}

/** What the snippet's first line does (`GET /v1/widget/embed`). */
function stub() {
  const q = [];
  if (window.Parley?.on) return;
  window.Parley = { q };
  for (const name of CALLS) window.Parley[name] = (...a) => (q.push([name, a]), () => window.Parley.off(...a));
  window.Parley.whyNot = () => new Promise((then) => q.push(["whyNot", [], then]));
}

// The script puts its own object in the stub's place: what a component keeps leads to that of the moment.
const live = new Proxy(
  {},
  {
    get: (_, name) => {
      const value = window.Parley?.[name];
      return typeof value === "function" ? (...given) => window.Parley[name](...given) : value;
    },
  },
);
