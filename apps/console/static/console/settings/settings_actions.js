/** What a person sets: whether they are there for visitors, how they work, what the page tells them by; and signing out. */

import { call } from "../base/api.js";

/** @import {Actions} from "../actions.js" */
/** @import {Choices, Presence} from "../base/types.js" */

export class SettingsActions {
  #actions;

  /** @param {Actions} actions */
  constructor(actions) {
    this.#actions = actions;
  }

  /** @param {Presence} status */
  async setStatus(status) {
    const before = this.#actions.store.state.me?.status;
    if (before === undefined) return;
    this.#actions.store.setStatus(status);
    const answer = await this.#actions.tried(() => call("PUT", "status", { status }));
    this.#actions.store.setStatus(answer ? answer.data.status : before);
  }

  /** A break that colleagues read a note of; waiting visitors go on to others at once, or stay. @param {string} note @param {boolean} passOn @returns {Promise<boolean>} */
  async takeBreak(note, passOn) {
    const answer = await this.#actions.tried(() => call("PUT", "status", { status: "relaxation", note, pass_on: passOn }));
    if (answer) this.#actions.store.setStatus(answer.data.status);
    return answer !== undefined;
  }

  /** How this operator works; until it is known, as at first. */
  async loadChoices() {
    const answer = await this.#actions.tried(
      () => call("GET", "me"),
      () => {},
    );
    this.#putChoices(answer);
  }

  /** @param {Partial<Choices>} choices @returns {Promise<boolean>} */
  async choose(choices) {
    const answer = await this.#actions.tried(() => call("PATCH", "me", choices));
    this.#putChoices(answer);
    return answer !== undefined;
  }

  /** @param {{data?: Choices} | undefined} answer */
  #putChoices(answer) {
    if (answer?.data) this.#actions.store.putChoices({ ...this.#actions.store.state.choices, ...answer.data });
  }

  /** @param {boolean} isOn */
  setNotifying(isOn) {
    return this.#actions.notices.setNotifying(isOn);
  }

  /** @param {boolean} isOn */
  setSounding(isOn) {
    return this.#actions.notices.setSounding(isOn);
  }

  /** The answer to the one question that is asked at first. @param {boolean} isWanted */
  answerAboutNotices(isWanted) {
    return this.#actions.notices.answer(isWanted);
  }

  /** Ends the session. What is drafted stays in this browser for the same person. @param {string} url @param {string} signInUrl */
  async signOut(url, signInUrl) {
    this.#actions.composer.keepOutbox();
    // What answers is a page; where that leads is what tells whether it was done.
    await this.#actions.tried(
      () => call("POST", url),
      () => {},
    );
    location.assign(signInUrl);
  }
}
