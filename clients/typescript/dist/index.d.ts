import { Operations } from "./operations.js";
import type { File as ParleyFile } from "./types.js";
import type { Write } from "./calling.js";
export { every, ParleyError, type Options, type Page, type Write } from "./calling.js";
export { InvalidSignature, isGenuine, receive, type Event } from "./webhooks.js";
export type * as types from "./types.js";
/** All calls, by tag: `parley.chats.chatList()`. */
export declare class Parley extends Operations {
    /** Uploads a file; its `id` can be sent in messages. */
    upload(file: Blob, name?: string, write?: Write): Promise<ParleyFile>;
}
