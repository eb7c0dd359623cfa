// Hours of a department: times are shown for days that have some, a period after the other, and Monday's are copied.
const days = [...document.querySelectorAll("[data-hours]")];

/** @param {Element} day */
const parts = (day) => ({ kind: day.querySelector("select"), times: [...day.querySelectorAll("input[type=time]")] });

/** @param {Element} day */
const show = (day) => {
  const { kind, times } = parts(day);
  const isTimed = kind.value === "hours";
  const filled = times.findLastIndex((time) => time.value);
  const shown = Math.max(2, filled + 1 + ((filled + 1) % 2), Number(day.dataset.shown ?? 0));
  for (const [place, time] of times.entries()) {
    time.disabled = !isTimed;
    time.hidden = !isTimed || place >= shown;
    time.closest("[data-period]").hidden = time.hidden;
  }
  const add = day.querySelector("button[data-adds]");
  add.hidden = !isTimed || shown >= times.length;
};

/** @param {Element} day @param {string} title @param {() => void} act */
const button = (day, title, act) => {
  const made = document.createElement("button");
  made.type = "button";
  made.className = "button-plain";
  made.textContent = title;
  made.addEventListener("click", act);
  day.append(made);
  return made;
};

for (const [place, day] of days.entries()) {
  const add = button(day, day.dataset.add, () => {
    const { times } = parts(day);
    day.dataset.shown = String(times.filter((time) => !time.hidden).length + 2);
    show(day);
  });
  add.dataset.adds = "";
  if (place === 0 && days.length > 1) {
    button(day, day.dataset.copy, () => {
      const from = parts(day);
      for (const other of days.slice(1, 5)) {
        const to = parts(other);
        to.kind.value = from.kind.value;
        for (const [at, time] of to.times.entries()) time.value = from.times[at].value;
        delete other.dataset.shown;
        show(other);
      }
    });
  }
  day.querySelector("select").addEventListener("change", () => show(day));
  show(day);
}
