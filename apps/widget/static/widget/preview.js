const rules = `
.looks { position: fixed; top: 8px; left: 8px; width: min(400px, 100vw - 16px); max-height: 60dvh; overflow: auto; padding: var(--p-3); background: var(--surface); color: var(--text); border: 1px solid var(--line); border-radius: var(--p-r-l); box-shadow: 0 var(--p-1) var(--p-4) var(--shade); font: var(--p-s)/var(--p-s-line) var(--p-font); overflow-wrap: anywhere; }
.looks h2, .looks b { font-weight: 600; }
.looks section { margin-top: var(--p-3); padding-top: var(--p-2); border-top: 1px solid var(--line); }
.looks ul { padding: 0; list-style: none; }
.looks small { color: var(--muted); }
.looks button { margin-top: var(--p-2); min-height: var(--p-control); padding: 0 var(--p-3); border-color: var(--muted); border-radius: var(--p-r-m); }
`;
const AGAIN = 1000;
// The owner's words, by the names of conditions, of obstacles and of refusals; in English where there are none.
const NAMES = {
  en: {
    page: "Page", not_page: "Not on the page", seconds: "Seconds on the page", seconds_visit: "Seconds in the visit", scroll: "Scrolled, %", leave: "The mouse leaves",
    visits: "Number of the visit", pages: "Pages of the visit", referrer: "Came from", param: "Query", attribute: "Attribute", event: "Event", language: "Language", device: "Device",
    visitor: "Visitor", answering: "Answers now (the server says)", hours: "Hours (the server says)", any: "one of", true: "yes", false: "no", null: "none", new: "new", returning: "returning",
    identified: "identified", desktop: "computer", mobile: "phone", people: "people", ai: "AI", anyone: "anyone", nobody: "nobody", open: "open", closed: "closed",
    draft: "draft", live: "live", paused: "paused",
    hidden: "this tab is hidden", chat_open: "the chat is open", preview: "an unread answer", typing: "somebody types in the page", dialog: "a dialog of the page",
    fullscreen: "full screen", never_on: "no invitations on this page", gap: "one was shown just now",
    off: "switched off, or not its time", blocked: "the visitor is blocked", in_chat: "a chat is open already", seen: "seen already", per_visit: "enough in this visit",
    per_day: "enough today", holdout: "held back for comparison",
  },
  ru: {
    page: "Страница", not_page: "Не на странице", seconds: "Секунд на странице", seconds_visit: "Секунд за визит", scroll: "Прокручено, %", leave: "Мышь уходит из окна",
    visits: "Номер визита", pages: "Страниц за визит", referrer: "Пришёл с", param: "Параметры адреса", attribute: "Атрибут", event: "Событие", language: "Язык", device: "Устройство",
    visitor: "Посетитель", answering: "Кто отвечает (знает сервер)", hours: "Часы работы (знает сервер)", any: "одно из", true: "да", false: "нет", null: "нет", new: "новый", returning: "вернувшийся",
    identified: "известный сайту", desktop: "компьютер", mobile: "телефон", people: "люди", ai: "ИИ", anyone: "кто-нибудь", nobody: "никто", open: "открыто", closed: "закрыто",
    draft: "черновик", live: "работает", paused: "на паузе",
    hidden: "вкладка не видна", chat_open: "чат открыт", preview: "непрочитанный ответ", typing: "на странице печатают", dialog: "на странице открыт диалог",
    fullscreen: "полный экран", never_on: "на этой странице не приглашают", gap: "только что было другое",
    off: "выключено или не его время", blocked: "посетитель заблокирован", in_chat: "чат уже идёт", seen: "уже видели", per_visit: "хватит за этот визит",
    per_day: "хватит на сегодня", holdout: "не показано для сравнения",
  },
};

/** A wanted or a present value, as a person reads it. */
const shown = (names, value) => {
  if (Array.isArray(value)) return value.map((each) => shown(names, each)).join(", ") || "–";
  if (value?.name) return [value.name, `× ${value.times ?? 1}`, value.within_s && `/ ${value.within_s} s`].filter(Boolean).join(" ");
  if (value?.min ?? value?.max) return `${value.min ?? 1} – ${value.max ?? "∞"}`;
  if (value && typeof value === "object") return Object.entries(value).map(([name, each]) => `${name} = ${shown(names, each)}`).join(", ");
  return names[String(value)] ?? String(value);
};

/** A condition's name, with the place in `any` that it has. */
const called = (names, condition) => {
  const [, place, name = condition] = /^any\.(\d+)\.(.+)/.exec(condition) ?? [];
  return (place ? `(${names.any}: ${+place + 1}) ` : "") + (names[name] ?? name);
};

/** Shows the owner, on their own page, how each invitation stands; drafts too. */
export const look = async (app, token) => {
  const { frame, h, load, settings, style } = app;
  const names = NAMES[settings.language] ?? NAMES.en;
  app.invitations = load("./invitations.js").then(({ begin }) => begin(app, token));
  const [{ tokens }, { words }, engine] = await Promise.all([load("./tokens.js"), load((await load(settings.texts_url)).more), app.invitations.catch(() => {})]);
  const [title, now, ready, way, refused, close, expired] = words.preview;
  style(tokens(".frame"));
  style(rules);
  const rows = (engine?.invitations ?? []).map((row) => {
    const says = h("ul");
    const state = h("p", { role: "status" });
    const node = h("section", { "aria-label": row.name }, h("b", null, row.name), row.state && h("small", null, ` · ${names[row.state]}`), says, state, h("button", { onclick: () => engine.show(row.id) }, now));
    const draw = async () => {
      const why = (await app.who("whyNot")).find(({ id }) => id === row.id);
      const lines = engine.stand(row).all.map(({ condition, holds, is, wants }) =>
        h("li", null, `${holds ? "✓" : "✗"} ${row.sentences?.[condition] ?? `${called(names, condition)}: ${shown(names, wants)}`}`, is != null && h("small", null, ` · ${shown(names, is)}`)),
      );
      says.replaceChildren(...lines);
      const text = why.refused ? refused.replace("#", names[why.refused] ?? why.refused) : why.waits_for ? way.replace("#", names[why.waits_for]) : why.holds ? ready : "";
      if (state.textContent !== text) state.textContent = text;
    };
    draw();
    return { draw, node };
  });
  const body = engine ? rows.map(({ node }) => node) : [h("p", null, expired)];
  const panel = h("aside", { class: "looks", "aria-label": title }, h("h2", null, title), ...body, h("button", { onclick: () => panel.remove() }, close));
  frame.append(panel);
  setInterval(() => panel.isConnected && rows.forEach(({ draw }) => draw()), AGAIN);
};
