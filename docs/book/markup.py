# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
"""How the book and the slides show code and formulas."""

import inspect
import re

from docutils.utils.math import latex2mathml
from pygments.lexers.c_cpp import CppLexer
from pygments.lexers.c_like import CudaLexer
from pygments.token import Keyword, Name


class CudaCpp(CppLexer):
    """C++ with the words of CUDA: Pygments' own lexer for CUDA knows only C."""

    def get_tokens_unprocessed(self, text, stack=("root",)):
        for index, token, value in super().get_tokens_unprocessed(text, stack):
            if token in Name:
                if value in CudaLexer.function_qualifiers | CudaLexer.variable_qualifiers | {"__grid_constant__"}:
                    token = Keyword.Reserved
                elif value in CudaLexer.variables or re.match(r"__(sync|shfl|ballot|thread|ldg|any|all)\w*", value):
                    token = Name.Builtin
                elif value in CudaLexer.vector_types:
                    token = Keyword.Type
            yield index, token, value


def formula(tex, block):
    """A formula in the markup that browsers know: no script, and text for those who listen. Throws what docutils throws
    where it does not understand the formula; its own kind of error differs between versions."""
    text = re.sub(r"\\bmod\b", r"\\;\\mathrm{mod}\\;", re.sub(r"\\dots\b", r"\\ldots", tex))
    text = text.replace("{aligned}", "{matrix}")
    wanted = {"inline": not block} if "inline" in inspect.signature(latex2mathml.tex2mathml).parameters else {"as_block": block}
    made = latex2mathml.tex2mathml(text, **wanted)
    if "{aligned}" in tex:
        made = made.replace("<mtable", '<mtable class="aligned"', 1)
    made = re.sub(r"\s*\n\s*", "", made).replace("<math", f'<math display="{"block" if block else "inline"}"', 1)
    return f'<div class="formula">{made}</div>' if block else made
