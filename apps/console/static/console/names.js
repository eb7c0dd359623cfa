/** How the page calls what has no name of its own. */

import { t } from "./texts.js";

/** @import {Row} from "./types.js" */

/** A chat's visitor. @param {Row} row */
export const nameOf = (row) => row.contact.name || t("visitor", { id: row.id });

/** @param {string} code */
export const channelName = (code) => (code === "widget" ? t("channel_widget") : code.charAt(0).toUpperCase() + code.slice(1));
