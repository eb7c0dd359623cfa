/** What of translation is needed before its module is there, which is loaded where a chat is, or may be, translated. */

import { nothing } from "../vendor/lit-html/lit-html.js";

/** @import {Actions} from "../actions.js" */
/** @import {Place} from "../composer/composer.js" */
/** @import {OperatorMessage} from "../base/server_types.js" */
/** @import {State} from "../base/types.js" */

/** @type {typeof import("./translation.js") | undefined} */
let loaded;
let isAsked = false;
let redraw = () => {};
/** @type {State | undefined} */
let drawn;

function load() {
  if (isAsked) return;
  isAsked = true;
  void import("./translation.js").then((module) => {
    loaded = module;
    redraw();
  });
}

/** Above the composer: the offer, what is on, and what waits to be checked. @param {State} state @param {Actions} actions */
export function translationPart(state, actions) {
  redraw = actions.redraw;
  drawn = state;
  const translation = state.open?.card?.translation;
  if (!translation?.on && !translation?.is_offered) return nothing;
  load();
  return loaded?.view(state, actions) ?? nothing;
}

/** Whether words go by way of a translation, which sends them, and closes the chat with them. @param {Place} place @param {string} body @param {Actions} actions @param {boolean} isClosing */
export function isTranslated(place, body, actions, isClosing) {
  const isOn = drawn?.open?.chatId === place.chatId && drawn.open.card?.translation?.on;
  if (place.isNote || !isOn || !loaded || !drawn || !/\p{L}/u.test(body)) return false;
  loaded.begin(drawn, place, body, actions, isClosing);
  return true;
}

/** Turns all messages of the open chat between their translations and their originals. @param {Actions} actions */
export function turnOriginals(actions) {
  loaded?.turnAll();
  actions.redraw();
}

/** A message in both languages; null for one that has only one. @param {OperatorMessage} message @param {(text: string) => unknown} linked */
export function inBoth(message, linked) {
  if (!message.translations?.length) return null;
  load();
  return loaded ? loaded.inBoth(message, linked, redraw) : null;
}
