/** Styles that a number decides. */

import { directive, Directive } from "../vendor/lit-html/directive.js";
import { noChange } from "../vendor/lit-html/lit-html.js";

/** Sets styles through the CSSOM, which a policy without inline styles allows. */
class Css extends Directive {
  /** @param {Record<string, string>} _styles */
  render(_styles) {
    return noChange;
  }

  /** @param {any} part @param {[Record<string, string>]} styles */
  update({ element }, [styles]) {
    for (const [name, value] of Object.entries(styles)) element.style.setProperty(name, value);
    return noChange;
  }
}

/** `<div ${css({height: "12px"})}>` */
export const css = directive(Css);
