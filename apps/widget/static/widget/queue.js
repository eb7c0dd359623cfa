/** Shows the visitor's place in the queue beside the conversation, as one polite line; nothing where there is none. */
export const tell = (chat, queue) => {
  const { h, typing, words } = chat;
  if (!chat.place?.isConnected) typing.before((chat.place = h("p", { class: "typing", role: "status" })));
  const { place, expects } = queue ?? {};
  const [line, usual] = words.place;
  const values = [place, expects?.from_min, expects?.to_min];
  chat.place.textContent = queue ? (line + (expects ? usual : "")).replace(/#/g, () => values.shift()) : "";
};
