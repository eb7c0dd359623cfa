// Milliseconds.
const LOOKS = 500;
const TYPES = 3e3;
const MINUTE = 6e4;
const VISIT = 30 * MINUTE;
const DAY = 48 * VISIT;
// How long a refusal rests, by its reason; others a minute.
const RESTS = { seen: DAY, holdout: DAY };
const DIALOGS = "dialog[open],[role=dialog],[role=alertdialog],[aria-modal=true]";
const MOST_TIMES = 100;

const isInSight = (node) => {
  const { bottom, left, right, top } = node.getBoundingClientRect();
  return right > left && right > 0 && bottom > 0 && left < innerWidth && top < innerHeight && node.checkVisibility({ visibilityProperty: true });
};

/** The live invitations, and the calls of the server. `token`: the owner looks, and nothing counts. */
const serverOf = async ({ config, settings }, memory, token) => {
  const url = `${config.base_url}/widget/${config.guid}/`;
  const call = async (path, more) => (await (await fetch(url + path, { credentials: "omit", ...more })).json()).data;
  const read = () => call(`invitations?lang=${settings.language}${token ? `&preview=${token}` : ""}`).catch((error) => {
      if (token) throw error;
      return new Promise((then) => setTimeout(then, MINUTE)).then(read);
    });
  const key = () => {
    memory.set("key", memory.get("key") ?? URL.createObjectURL(new Blob()).slice(-36).replace(/-/g, ""));
    return memory.get("key");
  };
  const signal = (signal) => token || navigator.sendBeacon(`${url}signals`, JSON.stringify({ key: key(), signals: [signal] }));
  return { ...(await read()), call, key, signal };
};

/** The visit: its pages, its seconds, its events, and the goals that it reached. */
const visitOf = (own) => {
  const { address, invitations, memory } = own;
  let page, since = memory.get("since"), looked = performance.now();
  /** @type {any} */
  const visit = { events: memory.get("events") ?? {}, seconds: 0, unwritten: 0, told: {} };
  const write = () => {
    visit.visits.seconds += visit.unwritten;
    visit.unwritten = 0;
    memory.set("visits", { ...visit.visits, at: Date.now() });
    memory.set("events", visit.events);
  };
  // Goals are told once a page, and again after an offer.
  const reach = (isReached) => {
    for (const { goal, id } of invitations) if (goal && isReached(goal)) visit.told[id] ??= own.signal({ kind: "goal", invitation_id: id });
  };
  const turn = () => {
    const last = memory.get("visits") ?? visit.visits;
    const { hostname } = new URL(document.referrer || location.href);
    visit.visits = own.isWithin(last?.at, VISIT) ? last : { n: (last?.n ?? 0) + 1, pages: 0, seconds: 0, first: address(), from: hostname === location.hostname ? "" : hostname };
    visit.visits.pages++;
    visit.scroll = visit.isLeft = 0;
    write();
    reach(({ page }) => page && own.isOn(page));
  };
  const names = invitations.flatMap(({ rule }) => [rule, ...(rule.any ?? [])].map(({ event }) => event?.name));
  visit.track = ([name]) => {
    reach(({ event }) => event === name);
    if (names.includes(name)) visit.events[name] = [...(visit.events[name] ?? []), Date.now()].slice(-MOST_TIMES);
  };
  visit.look = () => {
    const passed = (performance.now() - looked) / 1e3;
    looked += passed * 1e3;
    // A hash that is no router's is a place in the page.
    const now = address().replace(/#(?![/!]).*/, "");
    // The visitor was forgotten: somebody else uses the page.
    if (since !== memory.get("since")) visit.visits = page = visit.events = {};
    since = memory.get("since");
    if (page !== now) {
      // It begins two seconds after the launcher.
      visit.seconds = page ? 0 : 2;
      page = now;
      turn();
    }
    if (document.hidden) return;
    visit.seconds += passed;
    visit.unwritten += passed;
    const { clientHeight, scrollHeight, scrollTop } = document.scrollingElement ?? document.body;
    visit.scroll = Math.max(visit.scroll, ((scrollTop + clientHeight) / scrollHeight) * 100);
    if (visit.unwritten > 5) write();
  };
  document.addEventListener("pointerout", (event) => (visit.isLeft ||= event.pointerType === "mouse" && !event.relatedTarget && event.clientY <= 0));
  return visit;
};

/** Gives the obstacle that there is to an invitation, or null. */
const obstacleOf = (own) => {
  const { app, app: { host } } = own;
  let typed = -TYPES;
  const isTyping = () => {
    let field = document.activeElement;
    while (field?.shadowRoot && field !== host) field = field.shadowRoot.activeElement;
    return performance.now() - typed < TYPES || field?.matches(":read-write");
  };
  document.addEventListener("keydown", ({ target }) => target === host || (typed = performance.now()), true);
  return () =>
    document.hidden ? "hidden"
    : app.isOpen() ? "chat_open"
    : app.unread ? "preview"
    : isTyping() ? "typing"
    : [...document.querySelectorAll(DIALOGS)].some(isInSight) ? "dialog"
    : document.fullscreenElement ? "fullscreen"
    : own.isOn(own.never_on) ? "never_on"
    : own.shown(1e3 * own.gap_s)[0] ? "gap"
    : null;
};

/** Opens an invitation in the chat. */
const open = async (app, opened, words) => {
  const [chat, { stand }] = await Promise.all([app.chat, app.load("./offers.js")]);
  stand(chat, opened);
  // Questions come first.
  if (app.settings.questions) chat.input.value ||= words ?? "";
  else if (words) chat.send({ type: "text", body: words });
};

/** Gives the end of the invitation in sight. */
const leaveOf = (own) => {
  const { app } = own;
  const leave = (state, words) => {
    const { offer } = own;
    const { id, offer_id } = offer;
    own.node.remove();
    own.node = null;
    if (!state) return;
    channel.postMessage(id);
    own.signal({ kind: state, offer_id });
    app.fire("invitation", { id, state });
    if (state === "dismissed") return own.refuse(id, "seen");
    if (!own.token) app.visit.set("invited", offer);
    app.open();
    open(app, offer, words);
  };
  const channel = new BroadcastChannel(`parley:${app.config.guid}`);
  channel.onmessage = ({ data }) => own.node && own.offer.id === data && leave();
  return leave;
};

/** Asks the server for the first invitation whose conditions hold. */
const asksOf = (own) => {
  const { app, isWithin, memory, refuse, shown, stand } = own;
  const { load, settings } = app;
  let asks, forced;
  const ask = async ({ id }, { any }) => {
    const bearer = app.known();
    const now = forced === id;
    const body = { key: own.key(), page_url: own.address().split("#")[0].slice(0, 2000), lang: settings.language, any, now, preview: own.token };
    const headers = { "Content-Type": "application/json", ...(bearer && { Authorization: `Visitor ${bearer}` }) };
    forced = null;
    try {
      const [{ draw }, { tokens }, { words }] = await Promise.all([load("./offers.js"), load("./tokens.js"), load((await load(settings.texts_url)).more)]);
      own.offer = { ...(await own.call(`invitations/${id}/offers`, { method: "POST", headers, body: JSON.stringify(body) })), id };
      delete own.visit.told[id];
      const { reason, show } = own.offer;
      if (show || reason === "holdout") memory.set("shown", [...shown(VISIT), Date.now()]);
      // The owner sees it all the same, on wish.
      if (!show && !(own.token && now)) return refuse(id, reason);
      app.style(tokens(".frame"));
      own.node = draw(app, own.offer, words, own.leave);
      app.fire("invitation", { id, state: "shown" });
    } catch {
      refuse(id, null);
    }
  };
  const isDue = (row) => {
    if (forced) return forced === row.id;
    const [reason, at] = own.refusals()[row.id] ?? [];
    return !isWithin(at, RESTS[reason] ?? MINUTE) && shown(VISIT).length < own.per_visit && !stand(row).missing[0];
  };
  /** One tab at a time asks. */
  const askFirst = async () => {
    const row = own.invitations.find(isDue);
    if (!row || asks) return;
    asks = true;
    /** @type {any} */
    const go = (lock) => lock && ask(row, stand(row));
    if (navigator.locks) await navigator.locks.request(`parley:${app.config.guid}`, { ifAvailable: true }, go);
    else if (!isWithin(memory.get("asks"), TYPES)) {
      memory.set("asks", Date.now());
      await go(true);
    }
    asks = false;
  };
  own.show = (id) => (forced = id);
  return askFirst;
};

/** Invites whom live invitations are for. `token`: the owner looks, and nothing counts or is stored. */
export const begin = async (app, token) => {
  const { launcher, load, storage, tracked, visit: tab } = app;
  const { isWithin, matches, standOf } = await load("./patterns.js");
  const memory = token ? new storage.constructor({ off: true }) : storage;
  const address = () => location.href.split("#parley-preview")[0];
  const isOn = (wanted) => wanted.some((each) => matches(each, address()));
  const refusals = () => memory.get("refused") ?? {};
  const refuse = (id, reason) => memory.set("refused", { ...refusals(), [id]: [reason, Date.now()] });
  const shown = (span) => (memory.get("shown") ?? []).filter((time) => isWithin(time, span));
  /** @type {any} */
  const own = { ...(await serverOf(app, memory, token)), app, token, memory, address, isOn, isWithin, refusals, refuse, shown };
  own.invitations.sort((a, b) => b.priority - a.priority || a.id - b.id);
  const visit = (own.visit = visitOf(own));
  own.stand = standOf(own);
  own.leave = leaveOf(own);
  own.inTheWay = obstacleOf(own);
  const askFirst = asksOf(own);
  const look = () => {
    app.chat?.then((chat) => (visit.chat = chat));
    visit.look();
    const way = own.inTheWay();
    if (!own.node) return way || askFirst();
    if (way === "chat_open") own.leave("opened");
    else own.node.hidden = /pre|dia|full|nev/.test(way ?? "");
  };
  launcher.addEventListener("click", look);
  tracked.push = visit.track;
  tracked.forEach(visit.track);
  // Before a reload.
  if (app.chat && tab.get("invited")) open(app, tab.get("invited"));
  setInterval(look, LOOKS);
  look();
  return own;
};
