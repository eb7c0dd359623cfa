// Signs that end an address: white space, quotes, and the full-width ones of Chinese texts.
const ADDRESS = /https?:\/\/[^\s<>"«»“”„…\u3000-\u303f\uff01-\uff1f]+/giu;
/** @type {Record<string, string>} */
const PAIRS = { ")": "(", "]": "[", "}": "{" };
const ENDS = ".,;:!?'’`([{";

/**
 * Where an address ends in `found`: before a bracket that began outside it, and before the signs of its sentence.
 *
 * @param {string} found @param {string | undefined} before The sign in front of it.
 */
const endOf = (found, before) => {
  /** @type {Record<string, number>} */
  const open = { "(": 0, "[": 0, "{": 0 };
  let end = 0;
  for (; end < found.length; end++) {
    const sign = found.charAt(end);
    const begun = PAIRS[sign];
    if (begun) {
      if (!open[begun]) break;
      open[begun]--;
    } else if (sign in open) open[sign] = (open[sign] ?? 0) + 1;
  }
  // The marks of **https://…** and _https://…_.
  const ends = before && "*_~".includes(before) ? ENDS + before : ENDS + "*~";
  while (end && ends.includes(found.charAt(end - 1))) end--;
  return end;
};

/**
 * A text cut into what is no address and what is, in turns, beginning with what is none.
 *
 * @param {string} text
 */
export const parts = (text) => {
  const cut = [];
  let at = 0;
  for (const { 0: found, index } of text.matchAll(ADDRESS)) {
    const end = index + endOf(found, text[index - 1]);
    // At least one sign behind the two slashes.
    if (!/\/\/./.test(text.slice(index, end))) continue;
    cut.push(text.slice(at, index), text.slice(index, end));
    at = end;
  }
  return [...cut, text.slice(at)];
};
