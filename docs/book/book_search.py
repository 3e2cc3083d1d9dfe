# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
"""Lets the search of the book find sections, and not only pages and names of the reference.

Doxygen keeps, for each category (all, pages, ...) and each first letter, a file search/CATEGORY_N.js with one
line per entry: ['id_number',['shown',['../page.html#anchor',1,'scope']]]. N is the hexadecimal place of the letter in
a list in searchdata.js. What is typed is compared with the beginning of the id.
"""

import pathlib
import re

ENTRY = re.compile(r"^\s*\['(.*?)_\d+',(\[.*\])\],?\s*$")


def search_id(text):
    """The text as the search has it: lower case, and everything but letters and digits by its code."""
    return "".join(c if c.isalnum() else "_" + "".join(f"{b:02x}" for b in c.encode()) for c in text.lower())


def places(heading):
    """Where what is typed may begin: at each word of the heading that is one."""
    return [
        heading[match.start() :]
        for match in re.finditer(r"(?<!\w)\w[\w-]*", heading)
        if match.start() == 0 or len(match[0]) > 3
    ]


def add_sections(folder, sections):
    """sections: [(heading, address from the html folder, title of the page)]."""
    folder = pathlib.Path(folder) / "search"
    data_file = folder / "searchdata.js"
    data = data_file.read_text(encoding="utf-8")
    names = dict(
        re.findall(
            r"^\s*(\d+): \"(\w+)\",?$", data.partition("indexSectionNames")[2].partition("};")[0], re.M
        )
    )
    for number, category in names.items():
        if category not in ("all", "pages"):
            continue
        letters = re.search(rf'^\s*{number}: "([^"]*)"', data, re.M)[1]
        page = folder / f"{category}_0.html"  # Doxygen 1.9.8 has none
        template = page.read_text(encoding="utf-8") if page.exists() else None
        entries = []
        for place in range(len(letters)):
            for line in (folder / f"{category}_{place:x}.js").read_text(encoding="utf-8").split("\n"):
                match = ENTRY.match(line)
                if match:
                    entries.append((match[1], match[2]))
                elif line.strip() not in ("var searchData=", "[", "];", ""):
                    raise SystemExit(f"search/{category}_{place:x}.js: this line is not understood: {line}")
        for heading, address, title in sections:
            shown, scope = (
                re.sub(r"(['\\])", r"\\\1", text.replace("&", "&amp;").replace("<", "&lt;"))
                for text in (heading, title)
            )
            entries += [
                (search_id(start), f"['{shown}',['../{address}',1,'{scope}']]") for start in places(heading)
            ]
        groups = {}
        for entry in sorted(set(entries)):
            first = entry[0][0]
            if first == "_":  # a sign: its code
                first = bytes.fromhex(entry[0][1:3]).decode("latin-1")
            groups.setdefault(first, []).append(entry)
        for place, letter in enumerate(sorted(groups)):
            lines = ",\n".join(f"  ['{name}_{i}',{rest}]" for i, (name, rest) in enumerate(groups[letter]))
            (folder / f"{category}_{place:x}.js").write_text(
                f"var searchData=\n[\n{lines}\n];\n", encoding="utf-8"
            )
            if template:
                (folder / f"{category}_{place:x}.html").write_text(
                    template.replace(f"{category}_0.js", f"{category}_{place:x}.js"), encoding="utf-8"
                )
        listed = "".join(sorted(groups)).replace("\\", "\\\\").replace('"', '\\"')
        data = re.sub(rf'^(\s*{number}: )"[^"]*"', lambda m: f'{m[1]}"{listed}"', data, count=1, flags=re.M)
    data_file.write_text(data, encoding="utf-8")
