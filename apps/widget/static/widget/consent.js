// These keys name the visitor of a session.
const WHO = ["token", "contact", "read", "since"];

/** The text that an earlier visit has left under that name. */
const left = ({ config }, key) => {
  try {
    return localStorage[`parley:${config.guid}:${key}`];
  } catch {}
};

/** The browser may keep things from now on. The visitor of earlier visits goes on, unless somebody has written in this
 * page already, or `identify` told another user. */
export const agree = async (app) => {
  const { config, goOn, own, settings, storage, visit } = app;
  const chat = await app.chat;
  // Withdrawn in between, or allowed twice.
  if (config.off || own.isKept) return;
  const [lang, user, told] = [left(app, "lang"), left(app, "user"), own.get("user")];
  const isOther = told != null && user != null && JSON.stringify(told) !== user;
  const begun = storage === visit || isOther || chat?.thread.items().some(chat.isMine);
  if (begun) {
    for (const area of [own, visit]) area.keep(false);
    document.cookie = `parley_${config.guid}=;domain=${settings.widget_cookie_domain};path=/;max-age=0`;
  }
  // The session of this page is over, where the browser knows another.
  const values = WHO.map((key) => [key, own.get(key) ?? null]);
  if (!begun) for (const key of WHO) own.set(key, null);
  for (const area of [own, visit]) area.keep(true);
  if (begun || !app.known()) for (const [key, value] of values) own.set(key, value);
  else if (chat) {
    own.set("since", own.get("since") ?? Math.random());
    chat.connection.leave();
    if (app.person) chat.connection.identify(app.person);
    chat.connection.start();
  }
  if (!chat) goOn();
  if (lang && lang !== settings.language) app.setLanguage(lang);
};
