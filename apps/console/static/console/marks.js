/** What support agents have in hand of a chat, in words. */

import { t } from "./texts.js";

/** @import {Row} from "./types.js" */

/** A lease that has run out by itself is none, whether the server has said so or not. @param {Row} row */
export const marksOf = ({ marks }) =>
  marks.filter(({ until }) => until === null || Date.parse(until) > Date.now()).map(({ kind, about }) => t(`mark_${kind}`, { about }));
