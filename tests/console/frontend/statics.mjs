/** Finds what the page imports of another app, whose static files are served beside its own. */

import { register } from "node:module";

const shared = new URL("../../../apps/chats/static/chats/", import.meta.url).href;
const hooks = `export const resolve = (name, context, next) =>
  next(name.startsWith("../../chats/") ? ${JSON.stringify(shared)} + name.slice(12) : name, context);`;
register(`data:text/javascript,${encodeURIComponent(hooks)}`);
