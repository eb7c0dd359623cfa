/** Push messages: the person is told that visitors wait though the console is closed in this browser. */

import { call } from "../base/api.js";

const WORKER = "/console/worker.js";

const canPush = () => "serviceWorker" in navigator && "PushManager" in window;

/** The address of the worker, as a page may name it that takes no text for a script's address. */
function workerAddress() {
  const types = /** @type {any} */ (window).trustedTypes;
  return types ? types.createPolicy("worker", { createScriptURL: () => WORKER }).createScriptURL("") : WORKER;
}

/** @type {Promise<ServiceWorkerRegistration> | null} */
let registered = null;

/** The worker of this browser; it shows notifications where a page may not. */
export function worker() {
  if (!("serviceWorker" in navigator)) return Promise.reject(new Error("no worker"));
  registered ??= navigator.serviceWorker.register(workerAddress()).then(() => navigator.serviceWorker.ready);
  return registered;
}

/** Has this browser told from now on. One that can't be, or may not, is told by the open page alone. */
export async function startPushes() {
  if (!canPush()) return;
  try {
    const { pushManager } = await worker();
    if ((await pushManager.permissionState({ userVisibleOnly: true })) !== "granted") return;
    const { data } = await call("GET", "push");
    const subscription = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: data.subscribe_with });
    const { endpoint, keys } = subscription.toJSON();
    await call("PUT", "push", { endpoint, p256dh: keys?.p256dh, auth: keys?.auth });
  } catch {
    // The next page tries again.
  }
}

/** Has nothing sent to this browser any more. */
export async function stopPushes() {
  if (!canPush()) return;
  try {
    const subscription = await (await worker()).pushManager.getSubscription();
    if (!subscription) return;
    await call("POST", "push", { endpoint: subscription.endpoint });
    await subscription.unsubscribe();
  } catch {
    // What is sent to a browser that has no subscription ends by itself.
  }
}
