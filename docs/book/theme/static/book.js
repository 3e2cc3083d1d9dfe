// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
//
// What the pages can do beyond showing: colors, copies, the section in view, hints open on paper. Without it all can be read.

// As the system wants it, or the other way, or always as it is now.
const themes = ["", ...(matchMedia("(prefers-color-scheme: dark)").matches ? ["light", "dark"] : ["dark", "light"])]
const bar = document.querySelector(".bar")
if (bar) {
  const button = bar.appendChild(document.createElement("button"))
  const show = () => {
    const theme = document.documentElement.dataset.theme
    button.textContent = { "": "◐", light: "☀", dark: "☾" }[theme]
    button.setAttribute("aria-label", `Colors: ${theme || "as the system has them"}`)
  }
  button.onclick = () => {
    const next = themes[(themes.indexOf(document.documentElement.dataset.theme) + 1) % 3]
    document.documentElement.dataset.theme = next
    localStorage.setItem("theme", next)
    show()
  }
  show()
}

for (const block of document.querySelectorAll("article div.highlight")) {
  const button = block.parentElement.appendChild(document.createElement("button"))
  button.className = "copy"
  button.textContent = "Copy"
  button.onclick = async () => {
    await navigator.clipboard.writeText(block.querySelector("pre").innerText)
    button.textContent = "Copied"
    setTimeout(() => (button.textContent = "Copy"), 1500)
  }
}

// What scrolls sideways can be reached by keyboard, and only that.
const reachable = () => {
  for (const part of document.querySelectorAll("pre, .wide, .formula, .picture")) {
    if (part.scrollWidth > part.clientWidth) part.tabIndex = 0
    else part.removeAttribute("tabindex")
  }
}
addEventListener("load", reachable)
addEventListener("resize", reachable)
addEventListener("toggle", reachable, true)

// A link to what lies in a closed part opens it; on paper all are open.
const openTarget = () => {
  for (let part = document.getElementById(decodeURIComponent(location.hash.slice(1))); part; part = part.parentElement)
    if (part.tagName == "DETAILS") part.open = true
}
addEventListener("hashchange", openTarget)
openTarget()
addEventListener("beforeprint", () => document.querySelectorAll("details").forEach((part) => (part.open = true)))

const menu = document.getElementById("chapters")
if (menu) menu.scrollTop = (menu.querySelector("[aria-current]")?.offsetTop ?? 0) - menu.clientHeight / 2
for (const link of document.querySelectorAll("#contents a"))
  link.addEventListener("click", () => document.getElementById("contents").matches(":popover-open") && document.getElementById("contents").hidePopover())
const spots = new Map([...document.querySelectorAll("#contents a")].map((link) => [document.getElementById(decodeURIComponent(link.hash.slice(1))), link]))
const watcher = new IntersectionObserver((entries) => {
  for (const entry of entries)
    if (entry.isIntersecting) {
      spots.forEach((link) => link.removeAttribute("aria-current"))
      spots.get(entry.target.parentElement)?.setAttribute("aria-current", "true")
    }
}, { rootMargin: "-60px 0px -70% 0px" })
for (const section of spots.keys()) if (section) watcher.observe(section.querySelector("h1, h2, h3, h4"))
