// As on the server: bytes, and the types of pictures.
const MOST = 10 * 1024 * 1024;
const PICTURE = /^image\/(png|jpeg|gif|webp|avif)$/;
const rules = ".drop { outline: 3px dashed; outline-offset: -8px; }";
// Milliseconds.
const REFUSAL_LASTS = 8_000;

/** As fetch, which tells nobody how far an upload is. @param {(percent: string) => void} progress @param {AbortSignal} signal */
const uploading = (progress, signal) => (url, { headers, body }) =>
  new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", url);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.onprogress = ({ loaded, total }) => progress(` ${Math.floor((100 * loaded) / total)} %`);
    request.onload = () => resolve(new Response(request.response, { status: request.status }));
    request.onerror = request.ontimeout = request.onabort = () => reject(new TypeError("The upload broke off."));
    request.timeout = 300_000;
    signal.onabort = () => request.abort();
    request.send(body);
  });

/** The bytes of one go up; the message of them waits for that. */
const upload = async (chat, item, bytes, refuse) => {
  const { connection, draw, load, thread, words } = chat;
  const { isFinal, backoff } = await load("./connection.js");
  const { name } = item.file;
  const tell = (change) => {
    Object.assign(item, change);
    draw();
  };
  try {
    await connection.open();
    if (!thread.find(item.client_id)) return;
    const { onLine } = navigator;
    const form = new FormData();
    form.append("file", new Blob([bytes]), name);
    const stop = new AbortController();
    const [cancel, , , busy] = words.files;
    const abort = () => {
      thread.drop(item.client_id);
      stop.abort();
      connection.flush();
    };
    tell({ cancel, abort });
    const transport = uploading((progress) => tell({ progress }), stop.signal);
    const { id, content_type } = await connection.post("files", form, undefined, transport).catch(({ status }) => {
      if (status === 429) refuse(name, busy);
      // Final while online all along.
      throw { status: onLine && navigator.onLine && 400 };
    });
    const type = PICTURE.test(content_type) ? "image" : "file";
    thread.keep(Object.assign(item, { file_id: id, type, waits: false, cancel: undefined, progress: undefined }));
  } catch (error) {
    item.failed = isFinal(error);
    item.tries = (item.tries ?? 0) + 1;
    if (!item.failed) await new Promise((resolve) => setTimeout(resolve, backoff(item.tries)));
  }
  item.waits = false;
  connection.flush();
};

/** Files by button, drop or paste, each a message of its own. They go up one after the other, beside the texts; while
 * they are held over the panel, it shows that they can be dropped there. */
export const take = async (chat, files, type, types) => {
  const { h, input, panel, send, style, words } = chat;
  style(rules);
  panel.classList.toggle("drop", type === "dragover");
  // Office programs add a picture to a text that is pasted.
  if (type ? type !== "drop" : types?.includes("text/plain")) return;
  const [, large, broken] = words.files;
  const refuse = (name, text) => {
    const line = h("p", { class: "lost", role: "alert" }, h("bdi", null, name), `: ${text}`);
    input.form.before(line);
    setTimeout(() => line.remove(), REFUSAL_LASTS);
  };
  for (const file of files) {
    const { name, size } = file;
    // Read now: a changed file can't be uploaded.
    const bytes = size <= MOST && (await file.arrayBuffer().catch(() => {}));
    if (!bytes?.byteLength) {
      refuse(name, size > MOST ? large : broken);
      continue;
    }
    const complete = (item) => (chat.uploads = (chat.uploads ?? Promise.resolve()).then(() => upload(chat, item, bytes, refuse)));
    send({ type: "file", body: "", file: { name, size } }, complete);
  }
};
