/** What a person can do on the page: each is a call or a frame, and what the store is told of it. Each room has its own. */

import { CallRefused } from "./base/api.js";
import { wordsOf } from "./base/formats.js";
import { signInAgain } from "./base/socket.js";
import { ChatActions } from "./chat/chat_actions.js";
import { ComposerActions } from "./composer/composer_actions.js";
import { ContactActions } from "./contact/contact_actions.js";
import { InboxActions } from "./inbox/inbox_actions.js";
import { SettingsActions } from "./settings/settings_actions.js";

/** @import {Notices} from "./settings/notifications.js" */
/** @import {OperatorSocket} from "./base/socket.js" */
/** @import {Store} from "./store.js" */
/** @import {Config, Dialog, Echo, Pane, Refusal} from "./base/types.js" */

export class Actions {
  inbox = new InboxActions(this);
  chat = new ChatActions(this);
  composer = new ComposerActions(this);
  contact = new ContactActions(this);
  settings = new SettingsActions(this);

  /** @param {Store} store @param {OperatorSocket} socket @param {Notices} notices @param {Config} [config] */
  constructor(store, socket, notices, config) {
    this.isManager = config?.person.is_manager ?? false;
    this.hasReviews = config?.has_reviews ?? false;
    this.store = store;
    this.socket = socket;
    this.notices = notices;
  }

  /**
   * What `work` gives; undefined where it is refused, which `refuse` is told of: else it is shown.
   *
   * @template T
   * @param {() => Promise<T>} work
   * @param {(refusal: Refusal) => void} [refuse]
   */
  async tried(work, refuse = (refusal) => this.say(refusal)) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof CallRefused)) throw error;
      if (error.isSignedOut) signInAgain();
      refuse(error.refusal);
      return undefined;
    }
  }

  /** Why it was refused, or null when it was done. @template T @param {() => Promise<T>} work @param {(answer: T) => void} done @returns {Promise<Refusal | null>} */
  async outcome(work, done) {
    /** @type {Refusal | null} */
    let refused = null;
    const answer = await this.tried(work, (refusal) => (refused = refusal));
    if (!refused) done(/** @type {T} */ (answer));
    return refused;
  }

  /** Shows why something was not done. @param {Refusal} refusal */
  say(refusal) {
    this.store.showNotice(wordsOf(refusal));
  }

  dismissNotice = () => this.store.showNotice(null);

  /** Says what was done. @param {string} text @param {Partial<Echo>} [more] */
  echo(text, more = {}) {
    this.store.showEcho({ text, ...more });
  }

  dismissEcho = () => this.store.showEcho(null);

  /** @param {Dialog | null} dialog */
  showDialog(dialog) {
    this.store.showDialog(dialog);
  }

  /** @param {Pane} pane */
  showPane(pane) {
    this.store.showPane(pane);
  }

  /** Draws anew what a room has changed of its own. */
  redraw = () => this.store.redraw();

  /** Once what has changed is drawn. @param {() => void} work */
  afterDrawing(work) {
    setTimeout(() => requestAnimationFrame(work));
  }
}
