// The viewer of an OpenAPI document: Swagger UI, with a search over all operations, and tags that are closed at first.

const WAIT_MS = 120; // after a key, before the list is drawn anew

/** The words that an operation must have, all of them. */
const wordsOf = (text) => text.toLowerCase().split(/\s+/).filter(Boolean);

/** Whether an operation of Swagger UI's state has all words in its method, path, title, id or tag. */
function fits(operation, tag, words) {
  const told = operation.get("operation");
  const text = [operation.get("method"), operation.get("path"), told.get("summary"), told.get("operationId"), tag];
  const all = text.filter(Boolean).join(" ").toLowerCase();
  return words.every((word) => all.includes(word));
}

const isSearched = (filter) => typeof filter === "string" && filter.trim() !== "";

/** A plugin of Swagger UI: `filter` looks for operations, not for tags alone, and opens the tags that have some. */
const Search = () => ({
  fn: {
    opsFilter: (tags, phrase) => {
      const words = wordsOf(phrase);
      return tags
        .map((tag, name) => tag.update("operations", (all) => all.filter((one) => fits(one, name, words))))
        .filter((tag) => tag.get("operations").size > 0);
    },
  },
  components: { FilterContainer: () => null }, // the page's own field is in sight always
  statePlugins: {
    layout: {
      wrapActions: {
        // Its own way would leave the operation behind the page's head, which stays in sight (`scroll-padding-top`).
        scrollToElement: (scroll, system) => (element) => {
          element.scrollIntoView();
          return system.layoutActions.clearScrollTo();
        },
      },
      wrapSelectors: {
        isShown: (isShown) => (state, thing, otherwise) =>
          ([].concat(thing)[0] === "operations-tag" && isSearched(state.get("filter"))) || isShown(thing, otherwise),
      },
    },
    spec: {
      wrapActions: {
        // The documents are JSON, which is read in a hundredth of the time of YAML.
        parseToJson: (parse, system) => (text) => {
          try {
            return system.specActions.updateJsonSpec(JSON.parse(text));
          } catch {
            return parse(text);
          }
        },
      },
    },
  },
});

/** A write of the console's calls bears the session's token. */
function signed(request) {
  const token = document.cookie.match(/(?:^|; )csrftoken=([^;]+)/);
  if (token && new URL(request.url, location.href).origin === location.origin) request.headers["X-CSRFToken"] = token[1];
  return request;
}

const field = document.getElementById("search");
let waiting = 0;

function search() {
  const searched = isSearched(field.value);
  ui.layoutActions.updateFilter(searched ? field.value : "");
  document.body.classList.toggle("searching", searched);
  const webhooks = [...document.querySelectorAll(".webhooks .opblock")]; // which Swagger UI leaves out of its filter
  const words = wordsOf(field.value);
  for (const webhook of webhooks)
    webhook.hidden = searched && !words.every((word) => webhook.textContent.toLowerCase().includes(word));
  const found = ui.specSelectors.taggedOperations().size > 0 || webhooks.some((webhook) => !webhook.hidden);
  document.querySelector(".webhooks")?.classList.toggle("without", webhooks.every((webhook) => webhook.hidden));
  document.getElementById("nothing").hidden = found;
}

// An operation's address without its tag, `#operation/<id>`: of our own pages, and of older links.
const [, id] = location.hash.match(/^#operation\/(\w+)$/) ?? [];
if (id) history.replaceState(null, "", location.pathname);

/** Leads there, to the operation in the list of its tag. */
function follow() {
  if (!id) return;
  for (const [tag, { operations }] of Object.entries(ui.specSelectors.taggedOperations().toJS()))
    if (operations.some(({ operation }) => operation.operationId === id)) {
      history.replaceState(null, "", `#/${tag}/${id}`);
      ui.layoutActions.parseDeepLinkHash(location.hash);
    }
}

const list = document.getElementById("list");

/** Opens an operation, and scrolls to it. */
function lead(tag, operationId) {
  history.pushState(null, "", `#/${tag}/${operationId}`);
  ui.layoutActions.parseDeepLinkHash(location.hash);
}

let isLooking = false;
document.addEventListener("scroll", () => {
  if (isLooking) return;
  isLooking = true;
  requestAnimationFrame(() => {
    isLooking = false;
    const read = operationBeingRead();
    if (read) markOperation(list, read);
  });
});

const ui = SwaggerUIBundle({
  url: document.body.dataset.schema,
  dom_id: "#operations",
  deepLinking: true,
  docExpansion: "none",
  filter: true,
  defaultModelsExpandDepth: -1,
  validatorUrl: null, // it would ask a service of Swagger's
  requestInterceptor: signed,
  presets: [SwaggerUIBundle.presets.apis],
  plugins: [Search],
  onComplete: () => {
    follow();
    drawOperations(list, ui.specSelectors.taggedOperations().toJS(), lead);
    markOperation(list, location.hash);
    if (field.value) search();
    document.body.dataset.ready = "yes";
  },
});

field.addEventListener("input", () => {
  clearTimeout(waiting);
  waiting = setTimeout(search, WAIT_MS);
});
document.addEventListener("keydown", (event) => {
  if (event.key === "/" && !event.ctrlKey && !event.metaKey && !event.target.closest("input, textarea, select")) {
    event.preventDefault();
    field.focus();
  }
});
