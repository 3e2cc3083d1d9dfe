// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
// The looks of a report: those of the book.
#pragma once

namespace cuda_emulator {

// No class has a name that draw::picture_style() uses.
inline constexpr const char report_style[] = R"(
:root {
  color-scheme: light dark;
  --paper: #ffffff; --ink: #2f4153; --faint: #6f7e8e; --line: #dedede; --accent: #1779c4;
  --card: #f8f9fa; --code: #f5f5f5; --good: #1a7f4b; --good-paper: #e3f4ea;
  --bad: #b61825; --bad-paper: #f8d1cc; --bad-line: #fdecea; --note: #5f4204; --note-paper: #faf3d8;
  --note-line: #c99a1d;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #1c1d1f; --ink: #d2dbde; --faint: #98a5ab; --line: #38393b; --accent: #4fa7e8;
    --card: #242528; --code: #2a2c2f; --good: #6fd19c; --good-paper: #16301f;
    --bad: #f5b1aa; --bad-paper: #4a1f1b; --bad-line: #3a2220; --note: #d9c382; --note-paper: #3b2e04;
    --note-line: #a8872c;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body {
  margin: 0 auto; padding: 1.6rem 1.2rem 4rem; max-width: 1160px;
  background: var(--paper); color: var(--ink);
  font: 15.6px/1.55 -apple-system, BlinkMacSystemFont, "Segoe UI", Roboto, Oxygen, Ubuntu, Cantarell,
    "Fira Sans", "Droid Sans", "Helvetica Neue", sans-serif;
}
h1 { margin: 0 0 .6rem; font-size: 1.7rem; line-height: 1.25; overflow-wrap: anywhere; }
h2 {
  margin: 2.6rem 0 .9rem; padding-bottom: .3rem; border-bottom: 1px solid var(--line); font-size: 1.35rem;
}
h3 { margin: 0 0 .2rem; font-size: 1.08rem; overflow-wrap: anywhere; }
p { margin: .5rem 0; }
code, pre, .source, td.number, .name {
  font-family: ui-monospace, SFMono-Regular, "SF Mono", Menlo, Consolas, "Liberation Mono", monospace;
}
code {
  padding: .1em .3em; border-radius: 4px; background: var(--code); font-size: .87em; overflow-wrap: anywhere;
}
.kicker { margin: 0; color: var(--accent); font-weight: 600; letter-spacing: .02em; }
.verdict {
  display: inline-block; margin: .2rem 0 1rem; padding: .35rem .9rem; border-radius: 8px; font-weight: 600;
  background: var(--note-paper); color: var(--note);
}
.verdict.good { background: var(--good-paper); color: var(--good); }
.verdict.bad { background: var(--bad-paper); color: var(--bad); }
dl.facts { display: grid; grid-template-columns: max-content 1fr; gap: .15rem 1.2rem; margin: 0; }
dl.facts dt { color: var(--faint); }
dl.facts dd { margin: 0; overflow-wrap: anywhere; }
.card {
  margin: 1rem 0; padding: 1rem 1.2rem; border: 1px solid var(--line); border-radius: 8px;
  background: var(--card);
}
.card.warned { border-left: 4px solid var(--note-line); }
.card.warned p { margin-top: 0; }
.card.warned ul { margin: .5rem 0 0; padding-left: 1.2rem; }
.card.found { border-left: 4px solid var(--bad); }
.card.kernel { border-left: 4px solid var(--accent); }
.where { margin: 0 0 .7rem; color: var(--faint); font-size: .9rem; overflow-wrap: anywhere; }
pre {
  margin: .6rem 0; padding: .7rem .9rem; border-radius: 6px; background: var(--paper);
  border: 1px solid var(--line); font-size: 13px; line-height: 1.5;
  white-space: pre-wrap; overflow-wrap: anywhere;
}
.source {
  margin: .8rem 0; border: 1px solid var(--line); border-radius: 6px; background: var(--paper);
  overflow-x: auto; font-size: 13px; line-height: 1.5;
}
.source .file { padding: .3rem .9rem; border-bottom: 1px solid var(--line); color: var(--faint); }
.source ol { min-width: max-content; margin: 0; padding: .3rem 0; list-style: none; }
.source li { padding: 0 .9rem 0 0; white-space: pre; }
.source li b { display: inline-block; width: 4.6em; padding-right: 1em; color: var(--faint); font-weight: 400;
  text-align: right; }
.source li.marked { background: var(--bad-line); box-shadow: inset 4px 0 var(--bad); }
.source li.named { box-shadow: inset 4px 0 var(--accent); }
.source li.named b { color: var(--accent); }
.source li.marked b { color: var(--bad); font-weight: 700; }
.remark { color: var(--faint); font-size: .9rem; }
.remark.warn { padding: .3rem .7rem; border-radius: 6px; background: var(--note-paper); color: var(--note); }
.scroll { overflow-x: auto; margin: .6rem 0; }
table { border-collapse: collapse; font-size: .88rem; }
th, td { padding: .3rem .7rem; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
th { font-weight: 600; vertical-align: bottom; }
tbody th { white-space: nowrap; vertical-align: top; }
thead th { color: var(--faint); font-size: .82rem; line-height: 1.3; }
thead th.group { border-left: 1px solid var(--line); text-align: center; color: var(--ink); }
.number { text-align: right; white-space: nowrap; font-size: .85rem; }
thead th.number { font-size: .82rem; }
td.zero { opacity: .35; }
td.words { min-width: 18rem; width: 45%; }
td.words strong { white-space: nowrap; }
td.words .poor { color: var(--bad); }
table.launches td { white-space: nowrap; }
td.edge, th.edge { border-left: 1px solid var(--line); }
td.name { font-size: .85rem; }
td.remarked { color: var(--bad); }
table.launches { font-size: .8rem; }
table.launches th, table.launches td { padding: .25rem .5rem; }
figure { margin: 1rem 0 0; }
figcaption { font-size: .9rem; }
figcaption strong { color: var(--ink); }
figure .scroll { border: 1px solid var(--line); border-radius: 6px; background: var(--paper); }
figure svg { display: block; }
figure svg .page { fill: none; }
footer {
  margin-top: 3rem; padding-top: 1rem; border-top: 1px solid var(--line);
  color: var(--faint); font-size: .9rem;
}
dl.words dt { margin-top: .5rem; font-weight: 600; }
dl.words dd { margin: 0; }
@media (max-width: 640px) {
  body { padding: 1rem .8rem 3rem; }
  dl.facts { grid-template-columns: 7.5rem 1fr; gap: .25rem .6rem; font-size: .92rem; }
  .card { padding: .8rem .8rem; }
  .source, pre { font-size: 12px; }
  /* What a row means comes first, its numbers below it, each with its name. */
  table.sums, table.sums tbody, table.sums tr, table.sums th, table.sums td.words { display: block; }
  table.sums thead { display: none; }
  table.sums tr { padding: .6rem 0; border-bottom: 1px solid var(--line); }
  table.sums th, table.sums td { padding: 0; border: 0; text-align: left; }
  table.sums td.words { min-width: 0; width: auto; margin: .1rem 0 .25rem; }
  table.launches { border-collapse: separate; border-spacing: 0; }  /* else a cell that stays has no lines */
  table.launches th:nth-child(2):not(.group), table.launches td:nth-child(2) {
    position: sticky; left: 0; background: var(--paper); min-width: 9rem; white-space: normal;
    overflow-wrap: anywhere;
  }
  table.sums td.number { display: inline; white-space: normal; }
  table.sums td.number::before {
    content: attr(data-column) " "; color: var(--faint); font: .8rem sans-serif;
  }
  table.sums td.number + td.number::before { content: " · " attr(data-column) " "; }
}
@media print {
  @page { size: A4 landscape; margin: 12mm; }
  body { max-width: none; padding: 0; font-size: 10pt; }
  .card, figure, tr, .source { break-inside: avoid; }
  .card.kernel { break-inside: auto; }
  h2, h3, .where { break-after: avoid; }
  .scroll, .source { overflow: visible; }
  .source ol { min-width: 0; }
  .source li { white-space: pre-wrap; }
  figure svg { max-width: 100%; height: auto; }
  table.launches, table.launches .number { font-size: 6pt; }
  table.launches th, table.launches td { padding: 1pt 2pt; font-size: 6pt; }
  table.launches td { white-space: normal; }
  * { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
)";

}  // namespace cuda_emulator
