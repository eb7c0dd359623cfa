import { useEffect, useRef } from "react";
import { load } from "./index.js";

export function useParley({ person, attributes, ...options }) {
  const parley = useRef(null);
  parley.current ??= load(options);
  const told = useRef();
  const now = JSON.stringify(person);
  useEffect(() => {
    if (person) parley.current.identify(person);
    else if (person === null && told.current) parley.current.reset();
    told.current = person;
  }, [now]);
  const known = JSON.stringify(attributes);
  useEffect(() => {
    if (attributes) parley.current.setAttributes(attributes);
  }, [known]);
  return parley.current;
}

export function useParleyEvent(parley, event, listener) {
  const latest = useRef(listener);
  latest.current = listener;
  useEffect(() => {
    const hear = (data) => latest.current(data);
    parley.on(event, hear);
    return () => parley.off(event, hear);
  }, [parley, event]);
}

export function ParleyChat(props) {
  useParley(props);
  return null;
}
