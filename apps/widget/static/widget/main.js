import { Connection, isMine, Storage, Thread } from "./conversation.js";
import { ParleyWidget } from "./view.js";

/** Puts the widget on the page; gives `window.Parley` (docs/guides/visitor-side.md). */
export const start = async (config) => {
  const { base_url, guid, lang } = config;
  const settings = { present: [] };
  const refresh = async () => {
    const response = await fetch(`${base_url}/widget/${guid}/config?lang=${lang}`, { credentials: "omit" });
    if (!response.ok) throw response;
    Object.assign(settings, (await response.json()).data);
  };
  await refresh();
  const locale = settings.language;
  const { texts } = await import(settings.texts_url);
  const storage = new Storage(guid);
  const thread = new Thread(storage);
  const listeners = [];
  const fire = (event, data) => listeners.forEach(([name, listener]) => name === event && setTimeout(listener, 0, data));
  const present = ({ online, present = [] }) => Object.assign(settings, { online, present });
  let asked;

  const reactions = {
    message(message) {
      if (!isMine(message)) view.showTyping({});
      fire("message", message);
    },
    session: present,
    ready: present,
    typing: (data) => view.showTyping(data),
    "message.seen": ({ message_id }) => thread.markSeen(message_id),
    "agent.presence"(data) {
      present(data);
      clearTimeout(asked);
      asked = setTimeout(() => refresh().then(() => view.draw()).catch(() => {}), Math.random() * 2000);
    },
    "rating.requested": () => view.askRating(),
    "rating.created": () => view.rating.querySelector("form:not([data-rated])")?.remove(),
  };
  const connection = new Connection({ ...config, language: locale }, storage, thread, (type, data) => {
    reactions[type]?.(data);
    view.draw();
  });
  const view = new ParleyWidget({ settings, thread, connection, fire, locale, t: texts });
  // Some sites put a new body in the old one's place.
  const stay = () => view.host.isConnected || document.body?.append(view.host);
  new MutationObserver(stay).observe(document.documentElement, { childList: true });
  stay();
  view.draw();
  if (storage.get("token") || thread.next()) connection.start();

  return {
    open: () => view.open(),
    close: () => view.close(),
    identify: (person) => connection.identify(person),
    on: (event, listener) => void listeners.push([event, listener]),
  };
};
