import type { MaybeRefOrGetter, Plugin } from "vue";
import type { Events, Options, ParleyWidget, Person } from "./index.js";

/** `app.use(parley, { baseUrl, widget })` loads the chat; `useParley()` then gives it in any component. */
export const parley: Plugin<[Options]>;

/** The chat. Throws an Error where the plugin is not used. */
export function useParley(): ParleyWidget;

/** Tells the chat who is signed in, as that changes; null after they have signed out, which forgets them. */
export function useParleyPerson(person: MaybeRefOrGetter<Person | null | undefined>): void;

/** Hears an event for as long as the component is there. */
export function useParleyEvent<Name extends keyof Events>(event: Name, listener: (data: Events[Name]) => void): void;
