{% comment %}
The source of the loader, served at GET /widget/{guid}/embed.js (application/javascript; charset=utf-8, cacheable) as it
stands in loader.js, which tests/widget/test_static.py writes.

Context, from the view:
  config_json  json.dumps of {"guid": the widget's guid, "base_url": PUBLIC_URL without a trailing slash,
               "module_url": absolute URL of static("widget/launcher.js")}

The config and the launcher's module are asked for at once, and again until they come. Calls made before are kept and
replayed, those of the snippet's stub (`q`, rules/snippet.py), too. A form of the page may be called Parley. `data-lang` on the script tag overrides the widget's language, and the visitor's own choice overrides both. With `data-consent="off"` nothing is read from or kept in the browser (`config.off`) until the page calls `Parley.consent(true)`.
After a final refusal (`Parley.failed`) the script may be added again; until then, calls stay harmless.
{% endcomment %}{% autoescape off %}(() => {
  const config = {{ config_json }};
  const { guid, base_url, module_url } = config;
  const first = window.Parley?.on && window.Parley;
  const widgets = first?.widgets ?? {};
  if (widgets[guid]?.failed === false) return;
  const tag = document.currentScript?.dataset;
  config.off = tag?.consent === "off";
  let lang = tag?.lang ?? "";
  let listeners = [];
  let calls = [];
  let app;
  const api = (widgets[guid] = { widgets, failed: false });
  if (first?.failed !== false) window.Parley = api;
  for (const name of "open close toggle identify setAttributes setLanguage reset track consent showInvitation whyNot openArticle".split(" "))
    api[name] = (...args) => {
      if (name === "consent") config.off = args[0] !== true;
      const answer = new Promise((then) => (app ? then(app[name](...args)) : calls.push([name, args, then])));
      if (name === "whyNot") return answer;
    };
  api.off = (event, f) => (listeners = listeners.filter((each) => each[0] !== event || each[1] !== f));
  const hear = () => app && (listeners = listeners.filter(app.hears));
  api.on = (...args) => {
    listeners.push(args);
    hear();
    return () => api.off(...args);
  };
  const fire = (event, data) => listeners.forEach(([name, f]) => name === event && setTimeout(f, 0, data));
  const again = (attempt, code = "network") =>
    new Promise((resolve) => {
      const retry_in = Math.min(60, 2 ** attempt) * (1 - Math.random() / 4);
      fire("error", { code, retry_in });
      setTimeout(resolve, 1000 * retry_in);
      addEventListener("online", resolve);
      addEventListener("visibilitychange", resolve);
    });
  const read = async (chosen = lang) => {
    lang = chosen;
    try {
      if (!config.off) lang = localStorage[`parley:${guid}:lang`] ?? lang;
    } catch {}
    const response = await fetch(`${base_url}/widget/${guid}/config?lang=${lang}`, { credentials: "omit" });
    if (!response.ok) throw response;
    return (await response.json()).data;
  };
  const start = async (attempt = 0) => {
    try {
      const [settings, { start }] = await Promise.all([read(), import(module_url + (attempt ? `?${attempt}` : ""))]);
      app = start({ config, settings, fire, again, read });
      hear();
      for (const [name, args, then] of calls) then(app[name](...args));
    } catch (error) {
      const code = error.status;
      console.warn("Parley:", code ?? error);
      api.failed = code === 403 || code === 404;
      if (api.failed) return fire("error", { code, retry_in: null });
      await again(attempt, code);
      start(attempt + 1);
    }
  };
  const queue = first?.q ?? [];
  queue.push = ([name, args, then]) => void Promise.resolve(api[name](...args)).then(then);
  queue.splice(0).forEach(queue.push);
  if (document.body) start();
  else addEventListener("DOMContentLoaded", () => start());
})();
{% endautoescape %}
