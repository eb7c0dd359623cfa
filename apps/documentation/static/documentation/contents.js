// The list of a guide's headings marks the one that the reader has before them; a strip that scrolls sideways shows a
// focused link whole, which browsers do only where none of it is in sight.

const links = [...document.querySelectorAll(".contents a")];
const headings = links.map((link) => document.getElementById(decodeURIComponent(link.hash.slice(1))));

function mark() {
  const at = headings.findLastIndex((heading) => heading && heading.getBoundingClientRect().top < innerHeight / 3);
  for (const [place, link] of links.entries())
    if (place === at) link.setAttribute("aria-current", "location");
    else link.removeAttribute("aria-current");
}

addEventListener("scroll", () => requestAnimationFrame(mark), { passive: true });
mark();

document.addEventListener("focusin", ({ target }) => {
  if (target.closest(".places, .contents")) target.scrollIntoView({ block: "nearest", inline: "nearest" });
});
