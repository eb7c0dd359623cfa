"use strict"
/* What was typed is not lost: where a form's answer is the sign-in page or an error, its page is filled again when the
   same person comes back to it in this tab. And limits of fields are counted aloud instead of cutting what is pasted. */
{
  const KEY = "parley-typed"
  const LONGEST_MS = 2 * 60 * 60 * 1000
  const SECRET = /password|secret|token|api_key|bearer|code|csrf/i
  const person = new URL(document.currentScript.src).searchParams.get("p")
  const words = JSON.parse(new URL(document.currentScript.src).searchParams.get("w") || "{}")

  const read = () => {
    try {
      const kept = JSON.parse(sessionStorage.getItem(KEY))
      return kept && Date.now() - kept.at < LONGEST_MS ? kept : null
    } catch {
      return null
    }
  }
  const write = (kept) => {
    try {
      if (kept) sessionStorage.setItem(KEY, JSON.stringify(kept))
      else sessionStorage.removeItem(KEY)
    } catch {
      /* A browser without room keeps nothing. */
    }
  }
  const forms = () => [...document.querySelectorAll("#content form, main form")].filter((form) => (form.getAttribute("method") || "").toLowerCase() === "post")
  const fields = (form) =>
    [...form.elements].filter(
      (field) => field.name && !["hidden", "password", "file", "submit", "button"].includes(field.type) && !SECRET.test(field.name),
    )

  const keep = (event) => {
    const form = event.target
    if (!person || !forms().includes(form) || form.dataset.isKept === "no") return
    const values = fields(form).map((field) =>
      field.type === "checkbox" || field.type === "radio" ? [field.name, field.value, field.checked]
        : field.type === "select-multiple" ? [field.name, [...field.selectedOptions].map((each) => each.value)]
        : [field.name, field.value],
    )
    write({ person, path: location.pathname, form: forms().indexOf(form), values, at: Date.now() })
  }

  const put = (form, values) => {
    let count = 0
    for (const [name, value, checked] of values) {
      for (const field of fields(form).filter((each) => each.name === name)) {
        if (checked !== undefined) {
          if (field.value !== value || field.checked === checked) continue
          field.checked = checked
        } else if (Array.isArray(value)) {
          for (const option of field.options) option.selected = value.includes(option.value)
          continue
        } else {
          if (field.type === "checkbox" || field.type === "radio" || field.value === value) continue
          field.value = value
        }
        count += 1
        field.dispatchEvent(new Event("input", { bubbles: true }))
        field.dispatchEvent(new Event("change", { bubbles: true }))
      }
    }
    return count
  }

  const say = (before, text) => {
    if (!before || !text) return
    const note = document.createElement("p")
    note.className = "kept-note"
    note.setAttribute("role", "status")
    note.textContent = text
    before.before(note)
  }

  const bringBack = () => {
    const kept = read()
    if (!kept) return write(null)
    if (document.querySelector("[data-interrupted], input[name=password][autocomplete=current-password], #login-form")) {
      write({ ...kept, isInterrupted: true })
      say(document.querySelector("#login-form, form"), person ? "" : words.kept)
      return
    }
    if (!person) return
    if (kept.person !== person || !kept.isInterrupted) return write(null)
    if (kept.path !== location.pathname) return
    const form = forms()[kept.form]
    write(null)
    if (form && put(form, kept.values)) say(form, words.back)
  }

  const count = (field) => {
    const limit = Number(field.dataset.maxlength)
    const note = document.createElement("p")
    note.className = "counter"
    note.setAttribute("aria-live", "polite")
    const tell = () => {
      // A browser sends each end of line as two characters, and Django counts them as one.
      const length = [...field.value].length
      // Not by the focus: what moves while a button is pressed takes the press away from it.
      note.hidden = length < limit * 0.8
      note.textContent = `${length.toLocaleString(document.documentElement.lang)} / ${limit.toLocaleString(document.documentElement.lang)}`
      note.classList.toggle("is-over", length > limit)
      field.toggleAttribute("aria-invalid", length > limit)
    }
    field.after(note)
    field.addEventListener("input", tell)
    tell()
  }

  const start = () => {
    bringBack()
    for (const form of forms()) for (const field of form.querySelectorAll("[data-maxlength]")) count(field)
    document.addEventListener("submit", keep)
  }
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start)
  else start()
}
