"use strict"
/* The cabinet follows the system's scheme while its page is open: unfold looks at it when a page loads, and our colours
   do at once, so that a page of both was not to be read. The theme is kept in the browser, so it is "auto" again before
   anything else happens: a reader who goes on at that moment would have chosen one. */
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", ({ matches }) => {
  const page = window.Alpine?.$data(document.documentElement)
  if (page?.adminTheme !== "auto") return
  page.adminTheme = matches ? "dark" : "light"
  queueMicrotask(() => {
    page.adminTheme = "auto"
  })
})
