import type { Attributes, Events, Options, ParleyWidget, Person } from "./index.js";

export interface Props extends Options {
  /** Who is signed in; null after they have signed out, which forgets them. Not given: nothing is told. */
  person?: Person | null;
  attributes?: Attributes;
}

/** Loads the chat and gives it; tells it the person and the attributes as they change. */
export function useParley(props: Props): ParleyWidget;

/** Hears an event for as long as the component is there. */
export function useParleyEvent<Name extends keyof Events>(
  parley: ParleyWidget,
  event: Name,
  listener: (data: Events[Name]) => void,
): void;

/** The same as a component, which draws nothing: the chat draws itself. */
export function ParleyChat(props: Props): null;
