// As on the server: bytes, and what is a picture.
const MOST = 10 * 1024 * 1024;
const PICTURE = /^image\/(png|jpeg|gif|webp|avif)$/;
// Milliseconds.
const REFUSAL_LASTS = 8_000;
/** By language: to stop an upload; why a file is refused. */
const TEXTS = {
  ru: ["Отменить", "больше 10 МБ", "не удалось прочитать", "слишком много файлов, попробуйте позже"],
  en: ["Cancel", "larger than 10 MB", "can’t be read", "too many files, try again later"],
  el: ["Άκυρο", "μεγαλύτερο από 10 MB", "δεν διαβάζεται", "πολλά αρχεία, δοκιμάστε αργότερα"],
  de: ["Abbrechen", "größer als 10 MB", "nicht lesbar", "zu viele Dateien, bitte später erneut versuchen"],
  es: ["Cancelar", "supera los 10 MB", "no se puede leer", "demasiados archivos, inténtelo más tarde"],
  ar: ["إلغاء", "أكبر من 10 ميغابايت", "تعذّرت قراءته", "ملفات كثيرة، حاول لاحقًا"],
  zh: ["取消", "超过 10 MB", "无法读取", "文件过多，请稍后再试"],
};

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

/** Files by button, drop or paste, each a message of its own. */
export const takeFiles = async ({ h, input, send, settings }, files) => {
  const [cancel, large, broken, busy] = TEXTS[settings.language];
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
    send({ type: "file", body: "", file: { name, size } }, async (post, tell) => {
      const { onLine } = navigator;
      const form = new FormData();
      form.append("file", new Blob([bytes]), name);
      const stop = new AbortController();
      tell({ cancel: cancel, abort: () => stop.abort() });
      try {
        const { id, content_type } = await post(form, uploading((progress) => tell({ progress }), stop.signal));
        return { file_id: id, type: PICTURE.test(content_type) ? "image" : "file" };
      } catch ({ status }) {
        if (status === 429) refuse(name, busy);
        // Final while online all along.
        throw { status: onLine && navigator.onLine && 400 };
      }
    });
  }
};
