/** A text without percent-escapes; an escape that is no UTF-8 stays. */
const decoded = (text) =>
  text.replace(/(%[0-9a-f]{2})+/gi, (escapes) => {
    try {
      return decodeURIComponent(escapes);
    } catch {
      return escapes;
    }
  });

/** Whether a text is as the pattern says, where `*` is any run, also an empty one. */
const glob = (pattern, text) => {
  const [first, ...parts] = pattern.split("*").map(decoded);
  const last = parts.pop();
  if (last == null) return text === first;
  let at = text.startsWith(first) ? first.length : Infinity;
  for (const part of parts) {
    const found = text.indexOf(part, at);
    at = found < 0 ? Infinity : found + part.length;
  }
  return at + last.length <= text.length && text.endsWith(last);
};

const bare = (host) => host.toLowerCase().replace(/^www\./, "");

/** A host as addresses have it: each label in ASCII. */
const ascii = (host) =>
  host.replace(/[^*.:]*[^*.:\0-\x7f][^*.:]*/g, (label) => {
    try {
      return new URL(`http://${label}`).host;
    } catch {
      return label;
    }
  });

/** Whether the pattern of a host holds for the host of an address. */
const matchesHost = (pattern, host) => glob(bare(ascii(pattern)), bare(host));

/** Whether the pattern of an address holds for `address` (docs/guides/invitations.md): it begins with `/`, or with a host;
 * its query counts after a `?`, its fragment after a `#`. */
export const matches = (pattern, address) => {
  const { hash, host, hostname, pathname, search } = new URL(address);
  const [, whole, query, fragment] = /** @type {any} */ (/^(?:https?:\/\/)?([^?#]*)(?:\?([^#]*))?(?:#(.*))?/is.exec(pattern));
  const [, named, path] = /** @type {any} */ (/^([^/]*)(.*)/s.exec(whole));
  const wanted = (bare(named && ascii(named)) + path).replace(/\/$/, "");
  const hosts = named ? [host, hostname].map(bare) : [""];
  const place = decoded(pathname).replace(/\/$/, "");
  return (
    hosts.some((each) => glob(wanted, each + place) || glob(wanted, `${each + place}/`)) &&
    (query == null || glob(query, decoded(search.slice(1)))) &&
    (fragment == null || glob(fragment, decoded(hash.slice(1))))
  );
};

/** Whether a time is not older than `span`; one to come is of a clock that was set since. */
export const isWithin = (time, span) => time <= Date.now() && time > Date.now() - span;

const isAmong = (wants, is) => [wants].flat().includes(is);
const least = (wants, is) => [is >= wants, Math.floor(is)];
const range = ({ min = 0, max = Infinity }, is) => [is >= min && is <= max, is];
const among = (wants, is) => [isAmong(wants, is), is];
/** Of a condition with names. */
const each = (wants, of, test) => {
  const is = Object.fromEntries(Object.keys(wants).map((name) => [name, of(name)]));
  return [Object.keys(is).every((name) => test(wants[name], is[name])), is];
};

/** Tells how a rule stands at the moment: its conditions, those that are missing, which of `any` hold. */
export const standOf = ({ app, address, isOn, visit }) => {
  const { frame, known, settings } = app;
  /** Each condition answers whether it holds, and its present value; the conditions of the server always hold here. */
  const checks = {
    page: (wants) => [isOn(wants), address()],
    not_page: (wants) => [!isOn(wants), address()],
    seconds: (wants) => least(wants, visit.seconds),
    seconds_visit: (wants) => least(wants, visit.visits.seconds + visit.unwritten),
    scroll: (wants) => least(wants, visit.scroll),
    leave: () => [!!visit.isLeft, !!visit.isLeft],
    visits: (wants) => range(wants, visit.visits.n),
    pages: (wants) => range(wants, visit.visits.pages),
    referrer: (wants) => [wants.some((each) => matchesHost(each, visit.visits.from)), visit.visits.from],
    param: (wants) =>
      each(wants, (name) => [visit.visits.first, address()].flatMap((url) => new URL(url).searchParams.getAll(name)), (wants, is) => is.some((each) => glob(wants, each))),
    attribute: (wants) => each(wants, (name) => app.person?.attributes?.[name] ?? null, isAmong),
    event: ({ name, times = 1, within_s }) => least(times, (visit.events[name] ?? []).filter((time) => !within_s || isWithin(time, 1e3 * within_s)).length),
    language: (wants) => among(wants, settings.language),
    device: (wants) => among(wants, frame.matches(".phone") ? "mobile" : "desktop"),
    visitor: (wants) => {
      const { chat } = visit;
      const isKnown = known() && (chat?.isLive == null || chat.thread.items().some(chat.isMine));
      const is = [isKnown ? "returning" : "new", Object.keys(app.person ?? {})[1] && "identified"];
      return [is.some((each) => isAmong(wants, each)), is[1] || is[0]];
    },
  };
  const judge = (rule, path = "") =>
    Object.entries(rule).map(([name, wants]) => {
      const [holds, is] = checks[name]?.(wants) ?? [true, null];
      return { holds, condition: path + name, wants, is };
    });
  return ({ rule: { any: branches = [], ...rest } }) => {
    const base = judge(rest);
    const others = branches.map((rule, index) => judge(rule, `any.${index}.`));
    const any = others.flatMap((branch, index) => (branch.every(({ holds }) => holds) ? index : []));
    const missing = [base, any[0] == null ? others : []].flat(2).filter(({ holds }) => holds === false);
    return { all: [base, others].flat(2), any, missing };
  };
};
