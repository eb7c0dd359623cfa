/** Moments, as a person reads them in their own time zone. */

import { spoken, t } from "./texts.js";

const DAY = 86_400_000;

/** Short, for a list: the time of today, the day of this week, else the date. @param {string} moment @param {Date} [now] */
export function shortTime(moment, now = new Date()) {
  const date = new Date(moment);
  if (date.toDateString() === now.toDateString()) return clock(moment);
  if (now.getTime() - date.getTime() < 6 * DAY && date < now) return date.toLocaleDateString(spoken(), { weekday: "short" });
  const isThisYear = date.getFullYear() === now.getFullYear();
  return date.toLocaleDateString(spoken(), isThisYear ? { day: "numeric", month: "short" } : { dateStyle: "short" });
}

/** How long ago, in one unit: `5 min`, `3 h`, `2 d`. @param {string} moment @param {Date} [now] */
export function waitSince(moment, now = new Date()) {
  const minutes = Math.max(0, Math.floor((now.getTime() - Date.parse(moment)) / 60_000));
  if (minutes < 60) return t("minutes", { count: Math.max(1, minutes) });
  if (minutes < 24 * 60) return t("hours", { count: Math.floor(minutes / 60) });
  return t("days", { count: Math.floor(minutes / 60 / 24) });
}

/** @param {string} moment */
export const clock = (moment) => new Date(moment).toLocaleTimeString(spoken(), { timeStyle: "short" });

/** @param {string} moment */
export const day = (moment) => new Date(moment).toLocaleDateString(spoken(), { dateStyle: "long" });

/** @param {string} moment */
export const whole = (moment) => new Date(moment).toLocaleString(spoken(), { dateStyle: "long", timeStyle: "short" });
