/** Calls of the console over HTTP. */

/** @import {FileReference} from "./server_types.js" */
/** @import {Config, Refusal} from "./types.js" */

// Milliseconds.
const ANSWER = 15_000;

/** An answer that is none: what the server refused, or `code` "offline" where none came at all. */
export class CallRefused extends Error {
  /** @param {Refusal} refusal */
  constructor(refusal) {
    super(refusal.detail);
    this.refusal = refusal;
  }

  /** Nobody is signed in any more, or they may not work here. */
  get isSignedOut() {
    return this.refusal.status === 401 || this.refusal.code === "not_an_operator";
  }
}

const csrfToken = () => /(?:^|;\s*)csrftoken=([^;]*)/.exec(document.cookie)?.[1] ?? "";

/** @type {Record<string, string>} */
let ofWidget = {};

/** The server's limits: what passes them is refused here. @type {Config["limits"]} */
export let limits;

/** @param {Config["limits"]} given */
export function knowLimits(given) {
  limits = given;
}

/**
 * Says whose calls these are: of the widget that the page shows, whatever another tab has picked for the session.
 *
 * @param {string} guid
 */
export function callFor(guid) {
  ofWidget = { "X-Widget": guid };
}

/**
 * @param {"GET" | "POST" | "PUT" | "PATCH" | "DELETE"} method
 * @param {string} path Beneath `/console/`, unless it begins with a slash.
 * @param {object} [body] What JSON can say.
 * @returns {Promise<any>} The whole body of the answer; null where it has none. Throws CallRefused.
 */
export async function call(method, path, body) {
  /** @type {Response} */
  let answer;
  try {
    answer = await fetch(path.startsWith("/") ? path : `/console/${path}`, {
      method,
      headers: {
        Accept: "application/json",
        ...ofWidget,
        ...(body && { "Content-Type": "application/json" }),
        ...(method !== "GET" && { "X-CSRFToken": csrfToken() }),
      },
      body: body && JSON.stringify(body),
      signal: AbortSignal.timeout(ANSWER),
    });
  } catch {
    throw new CallRefused({ code: "offline", detail: "" });
  }
  const said = await answer.json().catch(() => undefined);
  if (answer.status === 204) return null;
  // Cut short, or not from the server but from a network that wants a sign-in.
  if (answer.ok && said === undefined) throw new CallRefused({ code: "offline", detail: "" });
  if (answer.ok) return said;
  throw new CallRefused({ status: answer.status, code: said?.code ?? "unknown", detail: said?.detail ?? "", errors: said?.errors });
}

/** A path with its query; what is null or blank is left out. @param {string} path @param {Record<string, unknown>} query */
export function withQuery(path, query) {
  const given = Object.entries(query).filter(([, value]) => value !== null && value !== undefined && value !== "");
  const written = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return written ? `${path}?${written}` : path;
}

/**
 * Uploads a file. XMLHttpRequest, because fetch does not tell how far it is.
 *
 * @param {Blob} file
 * @param {string} name
 * @param {(part: number) => void} onProgress From 0 to 1.
 * @returns {{done: Promise<FileReference>, abort: () => void}} `done` throws CallRefused.
 */
export function upload(file, name, onProgress) {
  const request = new XMLHttpRequest();
  const form = new FormData();
  form.append("file", file, name);
  const done = new Promise((resolve, reject) => {
    request.open("POST", "/console/files");
    for (const [header, value] of Object.entries({ ...ofWidget, "X-CSRFToken": csrfToken() })) request.setRequestHeader(header, value);
    request.responseType = "json";
    request.upload.onprogress = ({ loaded, total }) => onProgress(total ? loaded / total : 0);
    request.onload = () => {
      const { status, response } = request;
      if (status === 201) resolve(response.data);
      else reject(new CallRefused({ status, code: response?.code ?? "unknown", detail: response?.detail ?? "", errors: response?.errors }));
    };
    request.onerror = request.onabort = () => reject(new CallRefused({ code: "offline", detail: "" }));
    request.send(form);
  });
  return { done, abort: () => request.abort() };
}

/** A UUID, on http pages too, which lack crypto.randomUUID. */
export const newId = () => crypto.randomUUID?.() ?? URL.createObjectURL(new Blob()).slice(-36);
