const CLIP = "M8 7v9a4 4 0 0 0 8 0V6a2 2 0 0 0-5 0v10a1 1 0 0 0 2 0V7h2v9a3 3 0 0 1-6 0V6a4 4 0 0 1 9 0v10a6 6 0 0 1-12 0V7z";
// As on the server: bytes, and what is a picture.
const MOST = 10 * 1024 * 1024;
const PICTURE = /^image\/(png|jpeg|gif|webp|avif)$/;

/** Files by button, drop or paste, each a message of its own. */
export const takeFiles = (view, t, h, icon) => {
  const { input, panel } = view;
  const refused = h("p", { class: "lost", role: "alert" });
  const refuse = (name, text) => refused.append(h("bdi", null, name), `: ${text} `);

  const take = async (files) => {
    refused.replaceChildren();
    for (const file of [...files]) {
      const { name, size } = file;
      // Read now: a changed file can't be uploaded.
      const bytes = size <= MOST && (await file.arrayBuffer().catch(() => {}));
      if (!bytes?.byteLength) {
        refuse(name, size > MOST ? t.large : t.broken);
        continue;
      }
      view.send({ type: "file", body: "", file: { name, size } }, async (post) => {
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

  const chooser = h("input", { type: "file", multiple: "", hidden: "" });
  chooser.onchange = () => {
    take(chooser.files);
    chooser.value = "";
    input.focus();
  };
  const choose = { type: "button", title: t.attach, "aria-label": t.attach, onclick: () => chooser.click() };
  input.before(chooser, h("button", choose, icon(CLIP)));
  input.form.before(refused);

  input.onpaste = ({ clipboardData: { files, types } }) => {
    // Office programs add a picture to a text.
    if (!types.includes("text/plain")) take(files);
  };
  panel.ondragover = panel.ondragleave = panel.ondrop = (event) => {
    const { files, types } = event.dataTransfer;
    if (!types.includes("Files")) return;
    event.preventDefault();
    event.stopPropagation();
    panel.classList.toggle("drop", event.type === "dragover");
    if (event.type === "drop") take(files);
  };
};
