// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
const slides = [...document.querySelectorAll("section")];
const steps = { ArrowRight: 1, ArrowDown: 1, PageDown: 1, " ": 1, ArrowLeft: -1, ArrowUp: -1, PageUp: -1, Home: -1000, End: 1000 };
addEventListener("keydown", (event) => {
  if (event.key === "f") document.documentElement.requestFullscreen();
  if (!steps[event.key] || event.ctrlKey || event.altKey || event.metaKey) return;
  event.preventDefault();
  const middle = (slide) => Math.abs(slide.getBoundingClientRect().top + slide.offsetHeight / 2 - innerHeight / 2);
  const now = slides.reduce((best, slide, i) => (middle(slide) < middle(slides[best]) ? i : best), 0);
  slides[Math.min(Math.max(now + steps[event.key], 0), slides.length - 1)].scrollIntoView({ block: "center" });
});
