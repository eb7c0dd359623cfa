// The editor of an article: buttons that write Markdown, pictures by paste and drop, links to articles by search, a
// preview that the server draws, and saving by itself. Without it the form is a plain field with its buttons.
import { markdownOf } from "./pasted.js";
import * as writing from "./writing.js";

const PREVIEW_AFTER_MS = 400;
const SAVE_AFTER_MS = 2000;
const SAVE_EVERY_MS = 30_000; // each saving is a version
const RETRY_AFTER_MS = 10_000;
const SEARCH_AFTER_MS = 250;
const LONGEST_GOODBYE = 20_000; // characters that a browser still sends while its page closes

const form = document.querySelector("form[data-article]");
const words = form.dataset;
const field = form.elements.body;
const told = form.querySelector("[data-saved]");
const preview = form.querySelector("[data-preview]");

/** @param {string} text @param {boolean} [isBad] */
const say = (text, isBad = false) => {
  told.textContent = text;
  told.classList.toggle("form-error", isBad);
};

/** The answer of the server as JSON; null where there is none, as without a connection. @param {string} address @param {RequestInit} [options] */
const ask = async (address, options = {}) => {
  try {
    const answer = await fetch(address, { headers: { Accept: "application/json" }, ...options });
    const isJson = answer.headers.get("Content-Type")?.startsWith("application/json");
    return isJson ? await answer.json() : { refusal: answer.redirected ? words.signedOut : words.failed };
  } catch (error) {
    return error.name === "AbortError" ? { isOld: true } : null;
  }
};

/** A call a while after the last wish for it. @param {() => void} act @param {number} wait */
const later = (act, wait) => {
  let timer = 0;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(act, wait);
  };
};

// The preview.

let drawing = new AbortController();

const draw = async () => {
  drawing.abort();
  drawing = new AbortController();
  const body = new FormData();
  for (const name of ["csrfmiddlewaretoken", "widget", "body"]) body.append(name, form.elements[name].value);
  const answer = await ask(words.preview, { method: "POST", body, signal: drawing.signal });
  if (!answer?.html && answer?.html !== "") return;
  const page = new DOMParser().parseFromString(answer.html, "text/html");
  preview.replaceChildren(...page.body.childNodes);
};

// Saving.

/** The fields that are saved, as one text, as the server has them. */
const written = () => JSON.stringify([...new FormData(form)].filter(([name, value]) => typeof value === "string" && !["base_version", "at"].includes(name)));

const saving = { kept: written(), isOn: false, isStopped: false, isSent: false, last: 0, timer: 0 };

const isChanged = () => written() !== saving.kept;

/** @param {number} wait */
const saveIn = (wait) => {
  clearTimeout(saving.timer);
  const early = saving.last + SAVE_EVERY_MS - Date.now();
  saving.timer = setTimeout(save, Math.max(wait, Math.min(early, SAVE_EVERY_MS)));
};

/** @param {{isLast?: boolean}} [options] */
const save = async ({ isLast = false } = {}) => {
  if (saving.isOn || saving.isStopped || saving.isSent || !isChanged() || !form.elements.title.value.trim()) return;
  saving.isOn = true;
  clearTimeout(saving.timer);
  const now = written();
  const body = new FormData(form);
  body.set("does", "keep");
  body.delete("picture");
  const answer = await ask(location.href, { method: "POST", body, keepalive: isLast && field.value.length < LONGEST_GOODBYE });
  saving.isOn = false;
  saving.last = Date.now();
  if (answer?.version) kept(now, answer);
  else if (answer?.changed) stop(answer);
  else {
    say(answer?.refusal ?? words.offline, true);
    if (!answer) saveIn(RETRY_AFTER_MS);
  }
};

/** @param {string} text @param {{version: number, address: string, said: string, state: string}} answer */
const kept = (text, answer) => {
  saving.kept = text;
  form.elements.base_version.value = String(answer.version);
  say(answer.said);
  form.querySelector("[data-state]").textContent = answer.state;
  // A new article has an address of its own from its first words on.
  if (answer.address && answer.address !== location.pathname + location.search) history.replaceState(null, "", answer.address);
  if (isChanged()) saveIn(SAVE_AFTER_MS);
};

/** Somebody else has saved the text meanwhile: a person decides. @param {{changed: string, version: number}} answer */
const stop = (answer) => {
  saving.isStopped = true;
  const mine = Object.assign(document.createElement("button"), { type: "button", className: "button-plain", textContent: words.keepMine });
  mine.addEventListener("click", () => {
    form.elements.base_version.value = String(answer.version);
    saving.isStopped = false;
    saving.last = 0;
    void save();
  });
  say(`${answer.changed} `, true);
  told.append(mine);
};

// Pictures.

/** @param {File[]} files */
const putPictures = async (files) => {
  for (const file of files) {
    say(words.sending);
    const body = new FormData();
    for (const name of ["csrfmiddlewaretoken", "widget"]) body.append(name, form.elements[name].value);
    body.append("file", file, file.name);
    const answer = await ask(words.pictures, { method: "POST", body });
    if (!answer?.url) {
      say(answer?.refusal ?? words.offline, true);
      continue;
    }
    say("");
    const name = file.name.replace(/\.\w+$/, "").replace(/[[\]\\\n]/g, " ").trim();
    // A picture that is pasted from a screen has a name that says nothing.
    writing.insertBlock(field, `![${/^image\d*$/i.test(name) ? "" : name}](${answer.url})`);
  }
};

/** @param {DataTransfer | null} data */
const picturesOf = (data) => [...(data?.files ?? [])].filter((file) => file.type.startsWith("image/"));

const takePictures = () => {
  field.addEventListener("paste", (event) => {
    const files = picturesOf(event.clipboardData);
    const html = event.clipboardData?.getData("text/html") ?? "";
    const text = html && markdownOf(html);
    // A document's copy is often a picture, too: its words are meant.
    if (text) writing.insert(field, text);
    else if (files.length) void putPictures(files);
    else return;
    event.preventDefault();
  });
  field.addEventListener("dragover", (event) => {
    if (![...(event.dataTransfer?.types ?? [])].includes("Files")) return;
    event.preventDefault();
    field.classList.add("is-over");
  });
  for (const name of ["dragleave", "drop"]) field.addEventListener(name, () => field.classList.remove("is-over"));
  field.addEventListener("drop", (event) => {
    if (!event.dataTransfer?.files.length) return;
    event.preventDefault();
    const files = picturesOf(event.dataTransfer);
    if (files.length) void putPictures(files);
    else say(words.noPicture, true);
  });
  const chosen = form.elements.picture;
  chosen.addEventListener("change", () => {
    const files = [...chosen.files];
    chosen.value = "";
    void putPictures(files);
  });
};

// Links to other articles.

const linker = form.querySelector("dialog[data-linker]");

/** @param {{id: number, title: string, told: string}} article */
const lineOf = (article) => {
  const button = Object.assign(document.createElement("button"), { type: "button", className: "article-found" });
  const title = Object.assign(document.createElement("span"), { textContent: article.title });
  button.append(title, Object.assign(document.createElement("span"), { className: "card-note", textContent: article.told }));
  button.addEventListener("click", () => {
    linker.close();
    const chosen = field.value.slice(field.selectionStart, field.selectionEnd).trim();
    const name = (chosen || article.title).replace(/[[\]\\]/g, "\\$&");
    writing.insert(field, `[${name}](article:${article.id})`);
  });
  const line = document.createElement("li");
  line.append(button);
  return line;
};

const search = async () => {
  const query = linker.querySelector("input").value.trim();
  const asked = new URLSearchParams({ q: query, widget: form.elements.widget.value, lang: form.elements.lang.value });
  const answer = await ask(`${words.find}?${asked}`);
  if (query !== linker.querySelector("input").value.trim()) return;
  linker.querySelector("ul").replaceChildren(...(answer?.articles ?? []).map(lineOf));
  linker.querySelector("[role=status]").textContent = answer?.articles?.length ? "" : words.nothing;
};

const linkArticles = () => {
  const input = linker.querySelector("input");
  input.addEventListener("input", later(search, SEARCH_AFTER_MS));
  input.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    linker.querySelector("ul button")?.click();
  });
  linker.querySelector("[data-close]").addEventListener("click", () => linker.close());
};

// The buttons above the field.

const link = () => {
  const { selectionStart: from, selectionEnd: to, value } = field;
  const chosen = value.slice(from, to).trim();
  const isAddress = /^(https?:\/\/|mailto:)\S+$/i.test(chosen);
  const name = isAddress ? words.linkName : chosen || words.linkName;
  const address = isAddress ? chosen : "https://";
  writing.insert(field, `[${name}](${address})`);
  // The words that are still to be written are chosen.
  const start = from + (isAddress ? 1 : name.length + 3);
  field.setSelectionRange(start, start + (isAddress ? name.length : address.length));
};

const DOES = {
  heading: () => writing.begin(field, () => "## "),
  subheading: () => writing.begin(field, () => "### "),
  bold: () => writing.wrap(field, "**", words.example),
  italic: () => writing.wrap(field, "*", words.example),
  list: () => writing.begin(field, () => "- "),
  steps: () => writing.begin(field, (place) => `${place + 1}. `),
  quote: () => writing.begin(field, () => "> "),
  table: () => writing.insertBlock(field, words.table.replaceAll("\\n", "\n")),
  picture: () => form.elements.picture.click(),
  link,
  article: () => {
    linker.showModal();
    linker.querySelector("input").select();
    void search();
  },
};

const KEYS = { KeyB: "bold", KeyI: "italic", KeyK: "link" };

/** The arrows go from button to button, as in every toolbar; the tab key leaves it. @param {HTMLElement} bar */
const walk = (bar) => {
  const buttons = [...bar.querySelectorAll("button")];
  const choose = (place) => {
    for (const [at, button] of buttons.entries()) button.tabIndex = at === place ? 0 : -1;
  };
  choose(0);
  bar.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const at = buttons.indexOf(document.activeElement);
    if (!step || at < 0) return;
    event.preventDefault();
    const next = (at + step + buttons.length) % buttons.length;
    choose(next);
    buttons[next].focus();
  });
};

const start = () => {
  const bar = form.querySelector("[role=toolbar]");
  bar.hidden = false;
  walk(bar);
  form.querySelector("[data-picture]").classList.add("sr-only");
  form.elements.picture.tabIndex = -1;
  for (const button of bar.querySelectorAll("[data-do]")) button.addEventListener("click", () => DOES[button.dataset.do]());
  field.addEventListener("keydown", (event) => {
    const isCommand = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
    if (isCommand && KEYS[event.code]) DOES[KEYS[event.code]]();
    else if (!(event.key === "Enter" && !event.isComposing && !event.shiftKey && !isCommand && writing.continueList(field))) return;
    event.preventDefault();
  });
  form.addEventListener("keydown", (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.code !== "KeyS") return;
    event.preventDefault();
    void save();
  });
  field.addEventListener("input", later(draw, PREVIEW_AFTER_MS));
  form.addEventListener("input", () => saveIn(SAVE_AFTER_MS));
  // The button of the form saves the text, and the browser does not ask.
  form.addEventListener("submit", () => {
    saving.isSent = true;
  });
  document.addEventListener("visibilitychange", () => document.visibilityState === "hidden" && save({ isLast: true }));
  addEventListener("beforeunload", (event) => {
    if (isChanged() && !saving.isSent && form.elements.title.value.trim()) event.preventDefault();
  });
  takePictures();
  linkArticles();
};

start();
