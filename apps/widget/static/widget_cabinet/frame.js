// The page in the preview's frame. The widget's own modules run in it; what they would ask the service, it answers
// itself: there is no visitor, no session and no chat.
const GUID = "preview";
const say = (id, body, kind, name) => ({
  id, type: "text", body, created_at: new Date(Date.now() - 120_000 + 20_000 * id).toISOString(), seen_at: true, sender: { kind, name },
});
let settings;

const answer = (data, status = 200) => new Response(JSON.stringify({ data }), { status });
window.fetch = async (url) => {
  const { operators, language, online } = settings;
  if (!String(url).endsWith("/sessions")) return answer([]);
  const talk = { ru: ["Добрый день! Есть ли доставка?", "Да, завтра или послезавтра."] }[language] ?? ["Hello! Do you deliver?", "Yes, tomorrow or the day after."];
  const { name } = operators[0] ?? { name: "Anna" };
  return answer({
    visitor_token: GUID, online, present: operators.length ? operators : [{ name, avatar_url: null }], steps: [], realtime_url: "",
    messages: [say(1, talk[0], "client", null), say(2, talk[1], "agent", name)],
  });
};
window.WebSocket = class {
  send() {}
  close() {}
};

/** Draws the widget anew, in one piece. */
addEventListener("message", async ({ data, origin, source }) => {
  if (origin !== location.origin || source !== parent || !data.settings) return;
  settings = { ...data.settings, online: true, invitations: false };
  document.body.className = data.scheme;
  if (settings.widget_color_scheme === "auto") settings.widget_color_scheme = data.scheme;
  const keys = (area) => Object.keys(area).filter((key) => key.startsWith(`parley:${GUID}:`));
  for (const area of [localStorage, sessionStorage]) for (const key of keys(area)) delete area[key];
  const { start } = await import(document.body.dataset.launcher);
  document.querySelector("parley-widget")?.remove();
  const fire = () => {};
  const again = () => new Promise((resolve) => setTimeout(resolve, 2000));
  const widget = start({ config: { guid: GUID, base_url: "" }, settings: { ...settings, api_enabled: true }, fire, again, read: async () => settings });
  if (data.isOpen) widget.open();
});
parent.postMessage("ready", location.origin);
