{% comment %}
The loader, rendered at GET /widget/{guid}/embed.js (application/javascript; charset=utf-8, cacheable).

Context, from the view:
  config_json  json.dumps of {"guid": the widget's guid, "base_url": PUBLIC_URL without a trailing slash,
               "module_url": absolute URL of static("widget/main.js")}

Calls made before the modules arrive are kept and replayed; `data-lang` on the script tag overrides the language. After a
failed start the script may be added again; until then, calls stay harmless.
{% endcomment %}{% autoescape off %}(() => {
  const config = {{ config_json }};
  const loaded = (window.parleyWidgets ||= {});
  if (loaded[config.guid]) return;
  const calls = [];
  const api = (loaded[config.guid] = {});
  let app;
  for (const name of ["open", "close", "identify", "on"]) {
    api[name] = (...args) => (app ? app[name](...args) : void calls.push([name, args]));
  }
  if (!window.Parley || window.Parley.failed) window.Parley = api;
  config.lang = document.currentScript?.dataset.lang || "";
  const start = async () => {
    try {
      app = await (await import(config.module_url)).start(config);
      for (const [name, args] of calls) app[name](...args);
    } catch (error) {
      api.failed = true;
      delete loaded[config.guid];
      console.warn("Parley could not start:", error);
    }
  };
  if (document.body) start();
  else addEventListener("DOMContentLoaded", start, { once: true });
})();
{% endautoescape %}
