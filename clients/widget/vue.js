import { inject, onScopeDispose, toValue, watch } from "vue";
import { load } from "./index.js";

const KEY = Symbol("parley");

export const parley = {
  install(app, options) {
    app.provide(KEY, load(options));
  },
};

export function useParley() {
  const found = inject(KEY, null);
  if (!found) throw new Error("app.use(parley, { baseUrl, widget }) comes first");
  return found;
}

export function useParleyPerson(person) {
  const chat = useParley();
  watch(
    () => toValue(person),
    (now, before) => {
      if (now) chat.identify({ ...now });
      else if (now === null && before) chat.reset();
    },
    { immediate: true, deep: true },
  );
}

export function useParleyEvent(event, listener) {
  const chat = useParley();
  chat.on(event, listener);
  onScopeDispose(() => chat.off(event, listener));
}
