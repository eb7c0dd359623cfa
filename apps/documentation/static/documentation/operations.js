// The list of operations beside the viewer, from 1100 px on: each by its method and title, the one that is read marked.

/** Draws the list of the operations that Swagger UI has: its tags, closed, each with its operations. */
function drawOperations(list, tagged, lead) {
  const made = (name, attributes, ...children) => {
    const element = Object.assign(document.createElement(name), attributes);
    element.append(...children);
    return element;
  };
  list.replaceChildren(
    ...Object.entries(tagged).map(([tag, { operations }]) =>
      made(
        "details",
        { open: location.hash.startsWith(`#/${tag}/`) },
        made("summary", {}, tag, made("span", { className: "count", textContent: operations.length })),
        made(
          "ul",
          {},
          ...operations.map(({ method, operation }) => {
            const hash = `#/${tag}/${operation.operationId}`;
            const badge = made("span", { className: `method ${method}`, textContent: method.toUpperCase() });
            const link = made("a", { href: hash, title: operation.summary }, badge, made("span", {}, operation.summary));
            link.addEventListener("click", (event) => {
              event.preventDefault();
              lead(tag, operation.operationId);
              markOperation(list, hash);
            });
            return made("li", {}, link);
          }),
        ),
      ),
    ),
  );
}

/** Marks the operation with that hash, and opens its tag. */
function markOperation(list, hash) {
  for (const link of list.querySelectorAll("a")) {
    if (link.hash !== hash) link.removeAttribute("aria-current");
    else if (!link.hasAttribute("aria-current")) {
      link.setAttribute("aria-current", "location");
      link.closest("details").open = true;
      const { top, bottom } = link.getBoundingClientRect();
      const box = list.getBoundingClientRect();
      if (top < box.top || bottom > box.bottom) list.scrollTop += top - box.top - box.height / 3;
    }
  }
}

/** The hash of the operation that the reader has before them: the last one that begins above the window's middle. */
function operationBeingRead() {
  const above = [...document.querySelectorAll(".opblock[id]")].filter(
    (block) => block.getBoundingClientRect().top < innerHeight / 2,
  );
  const path = above.at(-1)?.querySelector(".opblock-summary-path a");
  return path ? path.getAttribute("href") : "";
}
