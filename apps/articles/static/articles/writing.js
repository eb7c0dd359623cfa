// Changes of a Markdown field: each keeps the browser's own undo, and leaves the cursor where a person goes on typing.

/** Puts a text in place of a part of the field. @param {HTMLTextAreaElement} field @param {number} from @param {number} to @param {string} text */
export const replace = (field, from, to, text) => {
  field.focus();
  field.setSelectionRange(from, to);
  // The only way that a browser can take back; one without it takes the text all the same.
  if (document.execCommand(text ? "insertText" : "delete", false, text)) return;
  field.setRangeText(text, from, to, "end");
  field.dispatchEvent(new Event("input", { bubbles: true }));
};

/** Puts a text at the cursor, in place of the chosen text. @param {HTMLTextAreaElement} field @param {string} text */
export const insert = (field, text) => replace(field, field.selectionStart, field.selectionEnd, text);

/** Puts a block of lines at the cursor, with an empty line around it. @param {HTMLTextAreaElement} field @param {string} block */
export const insertBlock = (field, block) => {
  const before = field.value.slice(0, field.selectionStart);
  const after = field.value.slice(field.selectionEnd);
  const lead = !before || before.endsWith("\n\n") ? "" : before.endsWith("\n") ? "\n" : "\n\n";
  const tail = after.startsWith("\n\n") ? "" : after.startsWith("\n") ? "\n" : "\n\n";
  insert(field, `${lead}${block}${tail}`);
};

/** Puts a mark around the chosen text, or takes it away; around an example where none is chosen. @param {HTMLTextAreaElement} field @param {string} mark @param {string} example */
export const wrap = (field, mark, example) => {
  const { selectionStart: from, selectionEnd: to, value } = field;
  const chosen = value.slice(from, to);
  if (chosen && value.slice(from - mark.length, from) === mark && value.slice(to, to + mark.length) === mark) {
    replace(field, from - mark.length, to + mark.length, chosen);
    field.setSelectionRange(from - mark.length, to - mark.length);
    return;
  }
  const words = chosen.trim() || example;
  // A mark beside a space is none: spaces at the ends stay outside of it.
  const [lead, tail] = chosen.trim() ? [/^\s*/.exec(chosen)[0], /\s*$/.exec(chosen)[0]] : ["", ""];
  replace(field, from, to, `${lead}${mark}${words}${mark}${tail}`);
  const start = from + lead.length + mark.length;
  field.setSelectionRange(start, start + words.length);
};

const PREFIX = /^(?:#{1,6} |[-*+] |\d{1,9}[.)] |> )/;

/** Begins each line that is chosen with a prefix, in place of the one that it has; takes it away where all have it. @param {HTMLTextAreaElement} field @param {(place: number) => string} prefix */
export const begin = (field, prefix) => {
  const from = field.value.lastIndexOf("\n", field.selectionStart - 1) + 1;
  const next = field.value.indexOf("\n", field.selectionEnd);
  const to = next < 0 ? field.value.length : next;
  const lines = field.value.slice(from, to).split("\n");
  const has = lines.every((line, place) => line.startsWith(prefix(place)));
  const made = lines.map((line, place) => (has ? "" : prefix(place)) + line.replace(PREFIX, ""));
  replace(field, from, to, made.join("\n"));
};

/** Goes on with a list at the end of one of its lines; an empty one ends it. Answers whether it did. @param {HTMLTextAreaElement} field */
export const continueList = (field) => {
  if (field.selectionStart !== field.selectionEnd) return false;
  const at = field.selectionStart;
  const from = field.value.lastIndexOf("\n", at - 1) + 1;
  const found = /^(\s{0,8})([-*+]|(\d{1,8})([.)]))(\s+)(.*)$/.exec(field.value.slice(from, at));
  if (!found) return false;
  const [, indent, sign, number, dot, space, words] = found;
  if (words) insert(field, `\n${indent}${number ? `${Number(number) + 1}${dot}` : sign}${space}`);
  else replace(field, from, at, "");
  return true;
};
