/** Shows push messages, and leads from one to the console. What a message holds: `apps/console/actions/pushes.py`. */

const scope = /** @type {any} */ (self);

scope.addEventListener("push", (/** @type {any} */ event) => {
  const { title, body, url, tag } = event.data.json();
  event.waitUntil(scope.registration.showNotification(title, { body, tag, renotify: true, data: { url } }));
});

scope.addEventListener("notificationclick", (/** @type {any} */ event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data.url));
});

/** The console that is open already, or else a new one. @param {string} url */
async function open(url) {
  const pages = await scope.clients.matchAll({ type: "window" });
  const page = pages.find((/** @type {any} */ each) => new URL(each.url).pathname === new URL(url, scope.location.origin).pathname);
  return page ? page.focus() : scope.clients.openWindow(url);
}
