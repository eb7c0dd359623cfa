// Milliseconds: the page's own work goes on in between.
// How long another tab takes to keep a new token.
const RENEWED_WITHIN = 500;
const SLICE = 12;

/** The first 32 bits of the fractional parts of the cube roots of primes; `2` of square roots. */
const roots = (count, root) => {
  const found = [];
  for (let n = 2; found.length < count; n++) {
    let isPrime = true;
    for (let d = 2; d * d <= n; d++) if (n % d === 0) isPrime = false;
    if (isPrime) found.push((n ** (1 / root) * 2 ** 32) | 0);
  }
  return found;
};
const K = roots(64, 3);
const INITIAL = roots(8, 2);
const W = new Int32Array(64);
const turned = (x, n) => (x >>> n) | (x << (32 - n));

/** SHA-256 of a text of ASCII, in hexadecimal. crypto.subtle lacks on http pages, and is slower for short texts. */
const sha256 = (text) => {
  const size = text.length;
  const words = new Int32Array((((size + 8) >> 6) + 1) * 16);
  for (let i = 0; i < size; i++) words[i >> 2] |= text.charCodeAt(i) << (24 - (i % 4) * 8);
  words[size >> 2] |= 0x80 << (24 - (size % 4) * 8);
  words[words.length - 1] = size * 8;
  const hash = INITIAL.slice();
  for (let block = 0; block < words.length; block += 16) {
    let [a, b, c, d, e, f, g, h] = hash;
    for (let i = 0; i < 64; i++) {
      if (i < 16) W[i] = words[block + i];
      else {
        const [x, y] = [W[i - 15], W[i - 2]];
        W[i] =
          W[i - 16] + W[i - 7] + (turned(x, 7) ^ turned(x, 18) ^ (x >>> 3)) + (turned(y, 17) ^ turned(y, 19) ^ (y >>> 10));
      }
      const first = (h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + ((e & f) ^ (~e & g)) + K[i] + W[i]) | 0;
      const second = ((turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
    }
    [a, b, c, d, e, f, g, h].forEach((word, i) => (hash[i] = (hash[i] + word) | 0));
  }
  return hash.map((word) => (word >>> 0).toString(16).padStart(8, "0")).join("");
};

/** The answer to a challenge (ALTCHA), found in slices: no worker, which a strict policy of the page may forbid. */
const prove = async ({ algorithm, challenge, maxnumber, salt, signature }) => {
  for (let number = 0, ends = Date.now() + SLICE; number <= maxnumber; number++) {
    if (sha256(salt + number) === challenge) return btoa(JSON.stringify({ algorithm, challenge, number, salt, signature }));
    if (number % 64 || Date.now() < ends) continue;
    await new Promise((resolve) => setTimeout(resolve));
    ends = Date.now() + SLICE;
  }
};

/** The words on a refusal for the visitor; "" of a refusal that is settled without them. */
export const why = async (refusal, { words }) => {
  const { code } = await refusal.clone().json();
  return code === "visitor_blocked" ? words.blocked : "";
};

/** The identity and proof for another try of a refused session call; throws the refusal where nothing helps. */
const amend = async (refusal, identity, proof, ask) => {
  const { code, errors } = await refusal.clone().json();
  if (code === "proof_required" && !proof) return [identity, await prove(await ask())];
  if (!errors || !identity) throw refusal;
  for (const [path, reasons] of Object.entries(errors)) console.warn(`Parley.identify: ${path}: ${[reasons].flat().join(" ")}`);
  const rest = { ...identity };
  for (const path of Object.keys(errors)) delete rest[path.split(".")[0]];
  // The two prove each other.
  if (!rest.user_id || !rest.identity_hmac) delete rest.user_id, delete rest.identity_hmac;
  if (Object.keys(rest).length === Object.keys(identity).length) throw refusal;
  return [rest, proof];
};

/** A form's sentence on a refusal; undefined of one that no visitor can mend. */
export const sentence = ({ code, errors }, { words }) => words.refusals[Object.keys(errors ?? {})[0] ?? code];

/** The token that stands for a refused one: another tab may have, or get in a moment, a new one. */
const renewed = async (kept, refused) => {
  for (let tries = 0; tries < 2; tries++) {
    const token = kept();
    if (token && token !== refused) return token;
    await new Promise((resolve) => setTimeout(resolve, RENEWED_WITHIN));
  }
};

/** Asks for a session otherwise than `error` refused it, by `begin`; throws the refusal where nothing helps, and
 * `isOver` where the session has ended and nobody wants another. */
export const beginAgain = async (error, { begin, http, isWanted, kept, storage }, visitor_token, identity, proof) => {
  const { status } = error;
  const challenge = () => http("challenge");
  if (status === 401 && visitor_token) {
    const token = await renewed(kept, visitor_token);
    if (!token && !isWanted()) throw { isOver: true };
    return begin(token, identity, proof);
  }
  // Neither keeps the visitor from writing.
  // The letter is over: a new chat.
  if (storage.get("letter") && [410, 422].includes(status)) return begin(storage.set("letter", null), identity, proof);
  if (![403, 422].includes(status)) throw error;
  return begin(visitor_token, ...(await amend(error, identity, proof, challenge)));
};
