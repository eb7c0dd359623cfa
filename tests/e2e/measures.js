/**
 * Measures a page as it is drawn: contrasts from computed colours, boxes, cut texts. Gives the failures by kind, each
 * as a line that names the element. It sees through open shadow roots. Nothing here depends on fonts or pixels.
 */
(() => {
  const WORDS = /[\p{L}\p{N}]/u;
  const ICONS = ".material-symbols-outlined, [data-icon]";
  const CONTROLS =
    "a[href], button, input:not([type=hidden]), select, textarea, summary, [role=button], [role=switch], [role=tab], [role=menuitem], [role=option]";
  const FIELDS =
    "select, textarea, input:not([type=hidden], [type=checkbox], [type=radio], [type=button], [type=submit], [type=reset], [type=image], [type=range], [type=file], [type=color])";
  // Boxes that belong to one list, and stand without a gap in it by design.
  const LISTED =
    "[role=menu], [role=menuitem], [role=listbox], [role=option], [role=tablist], [role=row], [role=grid], nav, table, li, [popover]";
  // What lies over the rest by design, and is gone once it was pressed.
  const OVER = ".pill, .toast, [popover]";
  const LINE = 1.5; // pixels of rounding

  const brush = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  const known = new Map();

  /** A computed colour, in any notation, as [red, green, blue, alpha]; the first three 0 to 255. */
  function rgba(color) {
    if (!known.has(color)) {
      brush.clearRect(0, 0, 1, 1);
      brush.fillStyle = color;
      brush.fillRect(0, 0, 1, 1);
      const [red, green, blue, alpha] = brush.getImageData(0, 0, 1, 1).data;
      known.set(color, [red, green, blue, alpha / 255]);
    }
    return known.get(color);
  }

  const over = (top, below) => [0, 1, 2].map((at) => top[at] * top[3] + below[at] * (1 - top[3])).concat(1);

  function luminance(color) {
    const [red, green, blue] = color.slice(0, 3).map((part) => {
      const share = part / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  }

  function contrast(one, other) {
    const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b);
    return (high + 0.05) / (low + 0.05);
  }

  const above = (element) => element.assignedSlot ?? element.parentElement ?? element.getRootNode().host ?? null;

  function* lineage(element) {
    for (let each = element; each; each = above(each)) yield each;
  }

  /** The opaque colour behind an element's contents, or null where a picture lies there. */
  function ground(element) {
    const layers = [];
    for (const each of lineage(element)) {
      const { backgroundColor, backgroundImage } = getComputedStyle(each);
      if (backgroundImage !== "none" && !backgroundImage.startsWith("none") && !each.matches(FIELDS)) return null;
      const color = rgba(backgroundColor);
      if (color[3] > 0) layers.push(color);
      if (color[3] === 1) break;
    }
    const paper = rgba(getComputedStyle(document.documentElement).colorScheme.includes("dark") && isDark() ? "#121212" : "#fff");
    return layers.reduceRight((below, layer) => over(layer, below), paper);
  }

  const isDark = () => matchMedia("(prefers-color-scheme: dark)").matches;

  function opacity(element) {
    let product = 1;
    for (const each of lineage(element)) product *= Number(getComputedStyle(each).opacity);
    return product;
  }

  /** All elements of the page, those of open shadow roots, too; only the last dialog's while one is open. */
  function elements(within) {
    const found = [];
    const walk = (root) => {
      for (const each of root.querySelectorAll("*")) {
        found.push(each);
        if (each.shadowRoot) walk(each.shadowRoot);
      }
    };
    const modals = [...document.querySelectorAll("dialog:modal")];
    walk(modals.at(-1) ?? document);
    return within ? found.filter((each) => [...lineage(each)].some((outer) => outer.matches(within))) : found;
  }

  /** The part of an element's box that ancestors do not clip, or null. */
  function seen(element, box = element.getBoundingClientRect()) {
    let { left, top, right, bottom } = box;
    if (getComputedStyle(element).position === "fixed") return { left, top, right, bottom };
    for (let each = above(element); each; each = above(each)) {
      const style = getComputedStyle(each);
      if (each !== document.documentElement && each !== document.body) {
        const clip = each.getBoundingClientRect();
        if (style.overflowX !== "visible") [left, right] = [Math.max(left, clip.left), Math.min(right, clip.right)];
        if (style.overflowY !== "visible") [top, bottom] = [Math.max(top, clip.top), Math.min(bottom, clip.bottom)];
      }
      if (style.position === "fixed") break;
    }
    return right - left > 1 && bottom - top > 1 ? { left, top, right, bottom } : null;
  }

  function isShown(element) {
    if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) return false;
    const box = element.getBoundingClientRect();
    if (box.right < 0 || box.bottom + scrollY < 0 || box.width <= 1 || box.height <= 1) return false; // only to be heard
    const { clipPath, clip } = getComputedStyle(element);
    return !clipPath.startsWith("inset(50%") && !(clip !== "auto" && /rect\((0px,? ?)+|rect\(1px/.test(clip));
  }

  const isDisabled = (element) => element.closest(":disabled, [aria-disabled=true], [inert]") !== null;

  function named(element) {
    const id = element.id ? `#${element.id}` : "";
    const classes = typeof element.className === "string" ? element.className.trim().split(/\s+/).slice(0, 3) : [];
    const words = (element.getAttribute("aria-label") ?? element.textContent ?? "").trim().replace(/\s+/g, " ");
    return `<${element.localName}${id}${classes.filter(Boolean).map((each) => `.${each}`).join("")}> “${words.slice(0, 40)}”`;
  }

  const own = (element) => [...element.childNodes].filter((node) => node.nodeType === 3 && node.data.trim() !== "");

  // —— kinds of failures ——

  function contrasts(all) {
    const found = [];
    for (const element of all) {
      const icon = element.matches(ICONS);
      if (!own(element).some((node) => WORDS.test(node.data)) || element.closest("option, svg, title")) continue;
      if (!isShown(element) || isDisabled(element) || !seen(element)) continue;
      const style = getComputedStyle(element);
      const below = ground(element);
      if (!below) continue;
      const color = rgba(style.color);
      const drawn = over([...color.slice(0, 3), color[3] * opacity(element)], below);
      const size = parseFloat(style.fontSize);
      const needed = icon || size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700) ? 3 : 4.5;
      const ratio = contrast(drawn, below);
      if (ratio < needed - 0.005) found.push(`${ratio.toFixed(2)} ${named(element)}`);
    }
    return found.concat(placeholders(all));
  }

  function placeholders(all) {
    const found = [];
    for (const field of all) {
      if (!field.matches("[placeholder]") || field.value || !isShown(field) || isDisabled(field)) continue;
      const below = ground(field);
      const style = getComputedStyle(field, "::placeholder");
      const color = rgba(style.color);
      const ratio = below && contrast(over([...color.slice(0, 3), color[3] * Number(style.opacity)], below), below);
      if (ratio && ratio < 4.495) found.push(`${ratio.toFixed(2)} placeholder of ${named(field)} “${field.placeholder}”`);
    }
    return found;
  }

  /** The best contrast of a line around the element, its own or that of a box around it, to what lies outside. */
  function edge(field) {
    let best = 0;
    for (const each of [...lineage(field)].slice(0, 4)) {
      const style = getComputedStyle(each);
      const outside = above(each) && ground(above(each));
      if (!outside) continue;
      for (const side of ["Top", "Bottom"]) {
        if (parseFloat(style[`border${side}Width`]) < 0.5 || style[`border${side}Style`] === "none") continue;
        best = Math.max(best, contrast(over(rgba(style[`border${side}Color`]), outside), outside));
      }
      if (style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 1)
        best = Math.max(best, contrast(over(rgba(style.outlineColor), outside), outside));
    }
    return best;
  }

  function edges(all) {
    return all
      .filter((each) => each.matches(FIELDS) && !each.matches("[type=search]") && isShown(each) && !isDisabled(each))
      .filter((each) => seen(each) && !each.closest("[data-in-place]") && edge(each) < 2.995)
      .map((each) => `${edge(each).toFixed(2)} ${named(each)} “${each.name || each.placeholder || ""}”`);
  }

  const smallType = (all) =>
    all
      .filter((each) => own(each).some((node) => WORDS.test(node.data)) && !each.closest("option, svg") && isShown(each))
      .filter((each) => parseFloat(getComputedStyle(each).fontSize) < 12 && seen(each))
      .map((each) => `${getComputedStyle(each).fontSize} ${named(each)}`);

  function tooWide(all) {
    const page = document.documentElement.scrollWidth - innerWidth;
    const found = page > 0 ? [`the page is ${page} px too wide`] : [];
    for (const each of all) {
      if (!each.matches(CONTROLS) || !isShown(each)) continue;
      const box = seen(each);
      if (box && !hasScrolling(each) && (box.right > innerWidth + LINE || box.left < -LINE)) found.push(`outside: ${named(each)}`);
    }
    return found;
  }

  const hasScrolling = (element) =>
    [...lineage(element)].some((each) => ["auto", "scroll"].includes(getComputedStyle(each).overflowX) && each !== document.documentElement);

  function cutTexts(all) {
    const found = [];
    for (const element of all) {
      if (!own(element).length || !isShown(element) || !seen(element) || element.closest("select, option, svg, [data-preview], [aria-hidden=true]")) continue;
      if ([...lineage(element)].slice(0, 4).some((each) => each.title || each.matches(".preview"))) continue;
      for (const each of [...lineage(element)].slice(0, 3)) {
        const style = getComputedStyle(each);
        const across = ["hidden", "clip"].includes(style.overflowX) && each.scrollWidth > each.clientWidth + LINE;
        const down = ["hidden", "clip"].includes(style.overflowY) && each.scrollHeight > each.clientHeight + LINE;
        if (each.clientWidth > 1 && (across || down) && isTextBeyond(element, each)) {
          found.push(named(element));
          break;
        }
      }
    }
    return found;
  }

  /** Whether the words of an element leave the box that clips them. */
  function isTextBeyond(element, clip) {
    const range = document.createRange();
    range.selectNodeContents(element);
    const words = range.getBoundingClientRect();
    const box = clip.getBoundingClientRect();
    const beyond = [box.left - words.left, words.right - box.right, words.bottom - box.bottom - 2, box.top - words.top - 2];
    return Math.max(...beyond) > LINE;
  }

  function brokenWords(all) {
    const found = [];
    const range = document.createRange();
    for (const element of all) {
      if (element.closest(`code, pre, script, style, svg, select, textarea, ${ICONS}`) || !isShown(element)) continue;
      for (const text of own(element))
        for (const word of text.data.matchAll(/(?<![\p{L}\p{N}_./@-])\p{L}{2,24}(?![\p{L}\p{N}_/@-]|\.\p{L})/gu)) {
          range.setStart(text, word.index);
          range.setEnd(text, word.index + word[0].length);
          const lines = [...range.getClientRects()].filter((each) => each.width > 0).map((each) => Math.round(each.top / 4));
          if (new Set(lines).size > 1) found.push(`${word[0]} in ${named(element)}`);
        }
    }
    return found;
  }

  /** Words that lie on other words, or on a control that is not theirs. */
  function overlaps(all) {
    const range = document.createRange();
    const boxes = [];
    for (const element of all) {
      if (element.closest(`option, svg, select, script, style, ${OVER}`) || !isShown(element) || isDisabled(element)) continue;
      const floating = floats(element);
      const isControl = element.matches(CONTROLS) && !element.matches("[type=checkbox], [type=radio], [type=file]");
      const texts = isControl ? [element] : own(element);
      for (const node of texts) {
        range.selectNodeContents(node);
        const rects = isControl ? [element.getBoundingClientRect()] : [...range.getClientRects()];
        for (const box of rects) {
          const part = box.width > 2 && box.height > 2 && seen(element, isControl ? box : within(element, box));
          if (part) boxes.push({ element, floating, ...part });
        }
      }
    }
    const found = [];
    for (const [at, one] of boxes.entries())
      for (const other of boxes.slice(at + 1)) {
        const areDrawn = one.element.closest("[aria-hidden=true]") && other.element.closest("[aria-hidden=true]");
        if (areDrawn || one.floating !== other.floating || holds(one.element, other.element) || holds(other.element, one.element)) continue;
        const across = Math.min(one.right, other.right) - Math.max(one.left, other.left);
        const down = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
        if (across > 2 && down > 4) found.push(`${named(one.element)} and ${named(other.element)}`);
      }
    return found;
  }

  /** The part of a text's box that its own element shows. */
  function within(element, { left, top, right, bottom }) {
    const { overflowX, overflowY } = getComputedStyle(element);
    const clip = element.getBoundingClientRect();
    if (overflowX !== "visible") [left, right] = [Math.max(left, clip.left), Math.min(right, clip.right)];
    if (overflowY !== "visible") [top, bottom] = [Math.max(top, clip.top), Math.min(bottom, clip.bottom)];
    return { left, top, right, bottom };
  }

  /** Whether the one is around the other, or its label. */
  const holds = (one, other) => [...lineage(other)].includes(one) || one.control === other || Boolean(one.closest("label")?.contains(other));

  /** The box that a finger may meet: with the control's labels, and with a wider box that a pseudo-element makes. */
  function target(control) {
    const boxes = [control, ...(control.labels ?? [])].filter(isShown).map((each) => each.getBoundingClientRect());
    if (!boxes.length) return null;
    const box = {
      left: Math.min(...boxes.map((each) => each.left)),
      top: Math.min(...boxes.map((each) => each.top)),
      right: Math.max(...boxes.map((each) => each.right)),
      bottom: Math.max(...boxes.map((each) => each.bottom)),
    };
    for (const pseudo of ["::before", "::after"]) {
      const style = getComputedStyle(control, pseudo);
      if (style.content === "none" || style.position !== "absolute") continue;
      for (const [side, sign] of [["left", 1], ["top", 1], ["right", -1], ["bottom", -1]]) {
        const outside = Math.min(0, parseFloat(style[side]) || 0);
        box[side] += sign * outside;
      }
    }
    return box;
  }

  /** A link among the words of a sentence. */
  function isWithinWords(control) {
    if (!control.matches("a, button, summary") || !getComputedStyle(control).display.startsWith("inline")) return false;
    const around = [...above(control).childNodes].filter((node) => node !== control);
    return around.some((node) => WORDS.test(node.textContent)) || control.closest("p, dd, td, figcaption") !== null;
  }

  const controls = (all) => all.filter((each) => each.matches(CONTROLS) && !each.closest("[inert]") && each.tabIndex > -2);

  function smallTargets(all) {
    const found = [];
    for (const each of controls(all)) {
      if (each.disabled || each.matches("option") || isWithinWords(each)) continue;
      const box = target(each);
      if (!box || !seen(each, box)) continue;
      const [width, height] = [box.right - box.left, box.bottom - box.top];
      if (width < 43.5 || height < 43.5) found.push(`${Math.round(width)} × ${Math.round(height)} ${named(each)}`);
    }
    return found;
  }

  const smallFields = (all) =>
    all
      .filter((each) => each.matches(FIELDS) && isShown(each) && parseFloat(getComputedStyle(each).fontSize) < 16)
      .map((each) => `${getComputedStyle(each).fontSize} ${named(each)} “${each.name || each.placeholder || ""}”`);

  function touching(all, gap) {
    const boxes = controls(all)
      .filter((each) => isShown(each) && !each.closest(LISTED) && !isWithinWords(each))
      .filter((each) => !each.matches("[type=checkbox], [type=radio], [type=range], [role=tab]"))
      .map((each) => [each, seen(each)])
      .filter(([, box]) => box);
    const found = [];
    for (const [at, [one, box]] of boxes.entries())
      for (const [other, beside] of boxes.slice(at + 1)) {
        if (one.contains(other) || other.contains(one) || floats(one) !== floats(other)) continue;
        if (scroller(one) !== scroller(other)) continue;
        const across = Math.max(beside.left - box.right, box.left - beside.right);
        const down = Math.max(beside.top - box.bottom, box.top - beside.bottom);
        const apart = Math.max(across, down);
        if (apart >= gap - 0.5 || isWithin(box, beside) || isWithin(beside, box)) continue;
        found.push(`${apart.toFixed(1)} px: ${named(one)} and ${named(other)}`);
      }
    return found;
  }

  /** The box that stays in sight while the rest is scrolled below it. */
  const floats = (element) => [...lineage(element)].find((each) => /fixed|sticky/.test(getComputedStyle(each).position));

  /** The box that scrolls it now: what it brings near something outside of it, it takes away again. */
  const scroller = (element) =>
    [...lineage(element)].find((each) => /auto|scroll/.test(getComputedStyle(each).overflowY) && each.scrollHeight > each.clientHeight + 1);

  const isWithin = (one, other) =>
    one.left >= other.left - 1 && one.right <= other.right + 1 && one.top >= other.top - 1 && one.bottom <= other.bottom + 1;

  /** The line that shows the focus: the element's outline or shadow, or those of a box around it. */
  function ring(element) {
    for (const each of [...lineage(element)].slice(0, 3)) {
      const style = getComputedStyle(each);
      const width = style.outlineStyle === "none" ? 0 : parseFloat(style.outlineWidth);
      if (width >= 1.9) return { of: each, color: rgba(style.outlineColor), reach: Math.max(0, width + parseFloat(style.outlineOffset)) };
      const spread = style.boxShadow.match(/^(.+?\)) 0px 0px 0px ([\d.]+)px/);
      if (spread && parseFloat(spread[2]) >= 1.9) return { of: each, color: rgba(spread[1]), reach: 0 };
    }
    return null;
  }

  function focuses(all) {
    const found = [];
    const before = document.activeElement;
    for (const each of controls(all)) {
      if (each.disabled || each.tabIndex < 0 || !isShown(each) || each.matches("option")) continue;
      each.focus({ preventScroll: false });
      if (each.getRootNode().activeElement !== each) continue;
      for (const running of each.getAnimations()) running.finish();
      bringIn(each);
      const line = ring(each);
      if (!line) {
        found.push(`none ${named(each)}`);
        continue;
      }
      const below = ground(above(line.of) ?? line.of);
      if (below && contrast(over(line.color, below), below) < 2.995) found.push(`pale ${named(each)}`);
      const box = line.of.getBoundingClientRect();
      const reach = { left: box.left - line.reach, top: box.top - line.reach, right: box.right + line.reach, bottom: box.bottom + line.reach };
      const whole = seen(line.of, reach);
      const cut = whole ? Math.max(whole.left - reach.left, whole.top - reach.top, reach.right - whole.right, reach.bottom - whole.bottom) : 9;
      if (cut > LINE && !isScrolledAway(line.of, reach)) found.push(`cut by ${cut.toFixed(0)} px ${named(each)}`);
    }
    before?.focus?.();
    return found;
  }

  /** Scrolls boxes down or up to a control that they show in part, so that no height of the contents decides. */
  function bringIn(control) {
    for (const each of [...lineage(control)].slice(1)) {
      if (!/auto|scroll/.test(getComputedStyle(each).overflowY)) continue;
      const [box, clip] = [control.getBoundingClientRect(), each.getBoundingClientRect()];
      each.scrollTop += Math.max(0, box.bottom + 8 - clip.bottom) - Math.max(0, clip.top + 8 - box.top);
    }
  }

  /** Whether the element is higher or wider than the box that scrolls it, and so never whole. */
  const isScrolledAway = (element, box) =>
    [...lineage(element)].some((each) => {
      const { overflowX, overflowY } = getComputedStyle(each);
      const isHigher = /auto|scroll/.test(overflowY) && each.clientHeight < box.bottom - box.top;
      return isHigher || (/auto|scroll/.test(overflowX) && each.clientWidth < box.right - box.left);
    });

  globalThis.measurePage = ({ gap, phone, focus, within, overlap }) => {
    for (const running of document.getAnimations()) if (running.effect?.getTiming().iterations !== Infinity) running.finish();
    const all = elements(within);
    const failures = {
      wide: tooWide(all),
      contrast: contrasts(all),
      edge: edges(all),
      type: smallType(all),
      cut: cutTexts(all),
      broken: brokenWords(all),
      touching: touching(all, gap),
      ...(overlap ? { overlap: overlaps(all) } : {}),
      ...(phone ? { target: smallTargets(all), field: smallFields(all) } : {}),
      ...(focus ? { focus: focuses(all) } : {}),
    };
    return Object.fromEntries(Object.entries(failures).filter(([, lines]) => lines.length).map(([kind, lines]) => [kind, [...new Set(lines)].slice(0, 12)]));
  };
})();
