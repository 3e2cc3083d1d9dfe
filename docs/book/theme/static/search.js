// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
//
// Searches words.js: [address, heading, title of the page, kind (0 glossary, 1 lessons, ...), text] of each section.

const plain = (text) => text.toLowerCase().replace(/[‐-―]/g, "-")
const loose = (text) => plain(text).replace(/-/g, " ")
const sections = words.map(([address, heading, page, kind, text]) => ({ address, heading, page, kind, text, head: loose(heading), low: loose(text) }))

// At most one letter is wrong, missing, too many, or two are exchanged.
const near = (a, b) => {
  if (Math.abs(a.length - b.length) > 1) return false
  let i = 0
  while (i < a.length && a[i] == b[i]) ++i
  const [restA, restB] = [a.slice(i), b.slice(i)]
  return restA.slice(1) == restB.slice(1) || restA.slice(1) == restB || restA == restB.slice(1) ||
    (restA[0] == restB[1] && restA[1] == restB[0] && restA.slice(2) == restB.slice(2))
}

let vocabulary
const likely = (term) => {
  vocabulary ??= sections.reduce((counts, { low, head }) => {
    for (const word of (head + " " + low).match(/\w{3,}/g) ?? []) counts.set(word, (counts.get(word) ?? 0) + 1)
    return counts
  }, new Map())
  const found = [...vocabulary].filter(([word]) => near(word, term) || (term.length > 4 && near(word.slice(0, term.length), term)))
  // Few get the first letter wrong.
  return found.sort((a, b) => (b[0][0] == term[0]) - (a[0][0] == term[0]) || b[1] - a[1])[0]?.[0]
}

// "coalescing" also finds "coalesced".
const stem = (term) => (/^[a-z]{6,}$/.test(term) ? term.replace(/(ing|ed|es|s|e)$/, "") : term)

const find = (query) => {
  const phrase = loose(query).trim(), exact = phrase.split(/\s+/)
  const terms = exact.map(stem)
  const scored = []
  for (const section of sections) {
    if (!terms.every((term) => section.low.includes(term) || section.head.includes(term))) continue
    const times = Math.min(section.low.split(terms[0]).length - 1, 8)
    const whole = section.head.includes(phrase) ? 20 : section.low.includes(phrase) ? 8 : 0
    const heads = section.head.split(/[^\w]+/)
    const title = exact.filter((term) => heads.some((word) => stem(word) == stem(term))).length * 10 + (section.head == phrase ? 30 : 0)
    scored.push([whole + title + times - section.kind * 6, section])
  }
  return scored.sort((a, b) => b[0] - a[0]).map(([, section]) => section)
}

const marked = (element, text, terms) => {
  const words = terms.filter((term) => term.length > 1)  // an "a" is in every other word
  const pattern = new RegExp("(" + (words.length ? words : terms).map((term) => term.replace(/[^\w\s]/g, "\\$&").replace(/ /g, "[ -]")).join("|") + ")", "gi")
  text.split(pattern).forEach((part, i) => element.append(i % 2 ? Object.assign(document.createElement("mark"), { textContent: part }) : part))
}

const show = (query) => {
  const said = document.getElementById("said"), list = document.getElementById("found")
  list.replaceChildren()
  said.textContent = ""
  if (query.trim().length < 2) return
  let asked = query, found = find(asked)
  if (!found.length) {
    asked = loose(query).trim().split(/\s+/).map((term) => (find(term).length ? term : likely(term) ?? term)).join(" ")
    found = find(asked)
  }
  said.textContent = !found.length ? `Nothing has "${query}".` : `${found.length} ${found.length == 1 ? "place" : "places"}` +
    (asked == query ? "" : ` for "${asked}"; nothing has "${query}"`)
  const phrase = loose(asked).trim(), terms = phrase.split(/\s+/).map(stem)
  for (const section of found.slice(0, 60)) {
    const link = document.createElement("a")
    const at = [phrase, ...terms].map((term) => section.low.indexOf(term)).find((place) => place >= 0) ?? 0
    const begin = Math.max(0, section.text.lastIndexOf(" ", Math.max(0, at - 70)))
    const title = link.appendChild(document.createElement("b"))
    title.textContent = section.heading
    if (section.heading != section.page) link.append(" ", Object.assign(document.createElement("small"), { textContent: section.page }))
    const end = section.text.length < begin + 200 ? section.text.length : section.text.lastIndexOf(" ", begin + 200)
    marked(link.appendChild(document.createElement("p")),
      (begin ? "… " : "") + section.text.slice(begin, end) + (end < section.text.length ? " …" : ""), terms)
    link.href = section.address
    list.appendChild(document.createElement("li")).append(link)
  }
}

const field = document.querySelector("form.large input")
field.value = new URLSearchParams(location.search).get("q") ?? ""
field.addEventListener("input", () => show(field.value))
field.form.addEventListener("submit", (event) => event.preventDefault())
field.focus()
show(field.value)
