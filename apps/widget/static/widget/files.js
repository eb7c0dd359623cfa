// As on the server: bytes, and what is a picture.
const MOST = 10 * 1024 * 1024;
const PICTURE = /^image\/(png|jpeg|gif|webp|avif)$/;
// Milliseconds.
const REFUSAL_LASTS = 8_000;

/** Files by button, drop or paste, each a message of its own. */
export const takeFiles = async ({ h, input, send, t }, files) => {
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
      refuse(name, size > MOST ? t.large : t.broken);
      continue;
    }
    send({ type: "file", body: "", file: { name, size } }, async (post) => {
      const { onLine } = navigator;
      const form = new FormData();
      form.append("file", new Blob([bytes]), name);
      try {
        const { id, content_type } = await post(form);
        return { file_id: id, type: PICTURE.test(content_type) ? "image" : "file" };
      } catch ({ status }) {
        if (status === 429) refuse(name, t.busy);
        // Final while online all along: later texts need not wait.
        throw { status: onLine && navigator.onLine && 400 };
      }
    });
  }
};
