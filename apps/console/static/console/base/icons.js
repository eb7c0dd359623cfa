/** The page's pictures, drawn on 24 × 24 points, one for one thing. They say nothing that a text beside them does not. */

import { svg } from "../vendor/lit-html/lit-html.js";

const PATHS = {
  assign: "M10 11a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM4 19c0-6 12-6 12 0M19 8v6M16 11h6",
  back: "M15 5l-7 7 7 7",
  bell: "M6 16V11a6 6 0 0 1 12 0v5l2 2H4zM10 21h4",
  block: "M10 11a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM4 19c0-6 12-6 12 0M17 8l5 5M22 8l-5 5",
  bold: "M7 5h6a3.500 3.500 0 0 1 0 7H7zM7 12h7a3.500 3.500 0 0 1 0 7H7z",
  canned: "M13 3L5 13h6l-1 8 8-10h-6z",
  card: "M4 5h16v14H4zM8 10a2 2 0 1 0 4 0 2 2 0 1 0-4 0M7 16c1-2 5-2 6 0M15 10h3M15 14h3",
  caution: "M12 4l9 16H3zM12 10v4M12 17h.01",
  chat: "M5 5h14a2 2 0 0 1 2 2v8a2 2 0 0 1-2 2h-7l-5 4v-4H5a2 2 0 0 1-2-2V7a2 2 0 0 1 2-2z",
  checks: "M2 13l4 4L14 8M11 15l2 2 8-9",
  clip: "M8 7v9a4 4 0 0 0 8 0V6a2.5 2.5 0 0 0-5 0v10a1 1 0 0 0 2 0V7",
  clock: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 7v5l3 3",
  close: "M6 6l12 12M18 6L6 18",
  done: "M5 13l4 4L19 7",
  gear: "M12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM12 3v3M12 18v3M3 12h3M18 12h3M5.600 5.600l2.100 2.100M16.300 16.300l2.100 2.100M18.400 5.600l-2.100 2.100M7.700 16.300l-2.100 2.100",
  globe: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM3 12h18M12 3c-5 5-5 13 0 18M12 3c5 5 5 13 0 18",
  hand: "M7 12V7a1.5 1.5 0 0 1 3 0v4V5a1.5 1.5 0 0 1 3 0v6V6a1.5 1.5 0 0 1 3 0v7V9a1.5 1.5 0 0 1 3 0v6a6 6 0 0 1-6 6h-1a7 7 0 0 1-6-4l-3-5c-.5-1.500 1.500-2.500 2.500-1.300z",
  inbox: "M4 13l3-8h10l3 8v6H4zM4 13h5l1 3h4l1-3h5",
  flag: "M6 21V4h12l-3 4 3 4H6",
  format: "M6 18l5-13 5 13M8 14h6M18 10v8",
  italic: "M10 5h7M7 19h7M14 5l-4 14",
  key: "M3 7h18v10H3zM7 11h.01M11 11h.01M15 11h.01M8 14h8",
  leave: "M10 5H5v14h5M14 8l4 4-4 4M18 12H9",
  link: "M10 14a4 4 0 0 0 6 0l3-3a4 4 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6 0l-3 3a4 4 0 0 0 6 6l1-1",
  lock: "M6 11h12v9H6zM8 11V8a4 4 0 0 1 8 0v3",
  mail: "M4 6h16v12H4zM4 7l8 6 8-6",
  more: "M5 11.500v1M12 11.500v1M19 11.500v1M4.500 12h1M11.500 12h1M18.500 12h1",
  mute: "M4 10v4h4l5 4V6L8 10zM16 10l4 4M20 10l-4 4",
  next: "M4 12h14M13 6l6 6-6 6",
  note: "M5 4h14v10l-5 6H5zM14 20v-6h5",
  pen: "M4 20l1-4L16 5l3 3L8 19zM14 7l3 3",
  people: "M9 11a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM3 19c0-6 12-6 12 0M16 5.500a3 3 0 0 1 0 5.500M18 14c2 .5 3 2 3 5",
  plus: "M12 5v14M5 12h14",
  queue: "M4 6h12M4 12h12M4 18h12M20 5v14M18 17l2 2 2-2",
  reopen: "M4 5v5h5M5 10a8 8 0 1 1-1 5",
  report: "M4 20h16M7 16v-5M12 16V5M17 16v-8",
  search: "M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM16 16l4 4",
  send: "M4 12l16-8-6 16-3-7z",
  shield: "M12 3l8 3v6c0 5-4 8-8 9-4-1-8-4-8-9V6zM9 12l2 2 4-4",
  smile: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM8 14c2 3 6 3 8 0M9 9h.01M15 9h.01",
  sound: "M4 10v4h4l5 4V6L8 10zM16 9a4 4 0 0 1 0 6",
  spam: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM6 6l12 12",
  spark: "M12 3l2 6 6 3-6 3-2 6-2-6-6-3 6-3z",
  star: "M12 4l2.500 5.500 6 .5-4.500 4 1.500 6-5.500-3.200L6.500 20 8 14 3.500 10l6-.5z",
  sum: "M5 6h14M5 11h14M5 16h8",
  transfer: "M4 8h14l-4-4M20 16H6l4 4",
  unassign: "M10 11a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM4 19c0-6 12-6 12 0M16 11h6",
};

/** @typedef {keyof typeof PATHS} IconName */

/** @param {IconName} name */
export const icon = (name) =>
  svg`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false"><path d=${PATHS[name]}></path></svg>`;
