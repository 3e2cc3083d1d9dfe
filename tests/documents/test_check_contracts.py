#!/usr/bin/env python3
# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
"""docs/write/check_contracts.py: which functions of a header it misses a contract of."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "docs/write"))
import check_contracts  # noqa: E402


def missing(text):
    """The functions without a contract, as "line:name"."""
    return [f"{line}:{name}" for line, name in check_contracts.Header(text).missing]


class Contracts(unittest.TestCase):
    def test_function_with_and_without(self):
        self.assertEqual(missing("/// Adds.\nint add(int a, int b);\n"), [])
        self.assertEqual(missing("int add(int a, int b);  ///< Adds.\n"), [])
        self.assertEqual(missing("int add(int a, int b);\n"), ["1:add"])
        self.assertEqual(missing("// Adds.\nint add(int a, int b);\n"), ["2:add"])
        self.assertEqual(missing("/// Adds.\n\nint add(int a, int b);\n"), ["3:add"])
        self.assertEqual(missing("/// \\file\nint add(int a, int b);\n"), ["2:add"])

    def test_templates_macros_and_attributes(self):
        self.assertEqual(missing("template <class T, int N = (3 > 2)>\n[[nodiscard]] T f(T (&x)[N]);\n"), ["1:f"])
        text = "/// F.\ntemplate <class T>\nrequires(sizeof(T) == 4) T f(T x);\nint g();\n"
        self.assertEqual(missing(text), ["4:g"])
        text = "template <class T>\n__global__ void __launch_bounds__(64) run_kernel(T* x);\n"
        self.assertEqual(missing(text), ["1:run_kernel"])
        self.assertEqual(missing("#define F(x) x\nTUTORIAL_MACRO(a);\nstatic_assert(sizeof(int) == 4);\n"), [])
        self.assertEqual(missing("extern template int f<int>(int);\ntemplate int f<int>(int);\n"), [])

    def test_variables_and_types_are_no_functions(self):
        self.assertEqual(missing("std::function<void(int)> f;\nusing g = int(int);\nenum class e { a, b };\n"), [])
        self.assertEqual(missing("inline constexpr int n = size(3);\nconst auto h = [](int x) { return x; };\n"), [])
        text = "struct s {\n  int a = f(1), b{2};\n  std::vector<int> c = {};\n};\nvoid after();\n"
        self.assertEqual(missing(text), ["5:after"])

    def test_classes(self):
        text = """/// C.
class c {
 public:
  c() = default;
  explicit c(int n) : n_{n}, m_(0) {}
  c(c&& other) noexcept : n_(other.n_) {}
  c& operator=(c&&) = delete;
  ~c();
  c& operator+=(const c& other) { return *this = *this + other; }
  void operator()(int x);
  operator bool() const { return n_ != 0; }
  friend c operator+(c a, c b) { return a; }
  void run() override;
  /// At.
  int& at(int i) { return n_; }
  const int& at(int i) const { return n_; }
 private:
  int hidden();
  int n_, m_;
};
struct open {
  int seen();
};
class closed {
  int hidden();
};
"""
        self.assertEqual(missing(text), ["5:c::c", "10:c::operator()", "11:c::operatorbool", "22:open::seen"])

    def test_namespaces(self):
        text = "namespace a::b {\nint f();\n}\nnamespace detail {\nint g();\n}\nnamespace {\nint h();\n}\n"
        self.assertEqual(missing(text), ["2:f"])
        self.assertEqual(missing('extern "C" {\nint f();\n}\n'), ["2:f"])

    def test_bodies_are_not_read(self):
        text = '/// F.\ninline int f() {\n  g("}");\n  if (a < b) h(1);\n  return 0;\n}\nint k();\n'
        self.assertEqual(missing(text), ["7:k"])

    def test_overloads_in_adjacent_lines_share_one(self):
        self.assertEqual(missing("/// F.\nint f(int);\nint f(long);\n\nint f(char);\nint g(int);\n"), ["5:f", "6:g"])

    def test_members_outside_of_their_class(self):
        text = "template <class T>\nint c<T>::f() {\n  return 1;\n}\nint c::g() { return 1; }\n"
        self.assertEqual(missing(text), [])

    def test_program(self):
        with tempfile.TemporaryDirectory() as folder:
            header = pathlib.Path(folder) / "a.hpp"
            header.write_text("int f();\n", encoding="utf-8")
            tool = [sys.executable, str(ROOT / "docs/write/check_contracts.py")]
            run = subprocess.run([*tool, str(header)], capture_output=True, text=True)
            self.assertEqual(run.returncode, 1)
            self.assertIn("a.hpp:1: f() has no contract", run.stderr)
            (pathlib.Path(folder) / "common").mkdir()
            run = subprocess.run([*tool, "--root", folder], capture_output=True, text=True)
            self.assertEqual((run.returncode, run.stderr), (1, "There are no headers: nothing was checked.\n"))


if __name__ == "__main__":
    unittest.main()
