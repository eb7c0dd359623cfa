// A client of Parley's API: see README.md.

import { Operations } from "./operations.js";
import type { File as ParleyFile } from "./types.js";
import type { Write } from "./calling.js";

export { every, ParleyError, type Options, type Page, type Write } from "./calling.js";
export { InvalidSignature, isGenuine, receive, type Event } from "./webhooks.js";
export type * as types from "./types.js";

/** All calls, by tag: `parley.chats.chatList()`. */
export class Parley extends Operations {
  /** Uploads a file; its `id` can be sent in messages. */
  async upload(file: Blob, name = "file", write: Write = {}): Promise<ParleyFile> {
    const form = new FormData();
    form.set("file", file, name);
    const key = write.key ?? crypto.randomUUID();
    return (await this.request("POST", "/api/v1/files", { kind: "object", form, key })) as ParleyFile;
  }
}
