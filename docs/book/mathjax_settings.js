// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
MathJax.Hub.Config({ messageStyle: "none", showMathMenu: false, SVG: { scale: 95, linebreaks: { automatic: false } } });
