// Tells whether an invitation is shown on an address, by the same module as visitors' browsers.
import { matches } from "../widget/patterns.js";

const form = document.querySelector("[data-invitation]");
const tester = form?.querySelector("[data-tester]");

/** The patterns of a field, one a line. @param {string} name */
const lines = (name) => form.elements[name].value.split("\n").map((line) => line.trim()).filter(Boolean);

/** @param {string[]} patterns @param {string} address */
const isAny = (patterns, address) => patterns.some((pattern) => matches(pattern, address));

/** The answer's name for an address; empty without one. @param {string} text @param {string[]} neverOn */
const judged = (text, neverOn) => {
  if (!text.trim()) return "";
  const address = /^https?:\/\//i.test(text) ? text.trim() : `https://${text.trim()}`;
  if (!URL.canParse(address)) return "none";
  if (isAny(neverOn, address)) return "never";
  const wanted = lines("page");
  return (!wanted.length || isAny(wanted, address)) && !isAny(lines("not_page"), address) ? "yes" : "no";
};

if (tester) {
  const told = tester.querySelector("[data-tested]");
  const neverOn = JSON.parse(document.getElementById("never-on").textContent);
  const address = tester.querySelector("#tested-address");
  const tell = () => {
    told.textContent = told.dataset[judged(address.value, neverOn)] ?? "";
  };
  for (const name of ["page", "not_page"]) form.elements[name].addEventListener("input", tell);
  address.addEventListener("input", tell);
  tester.hidden = false;
}
