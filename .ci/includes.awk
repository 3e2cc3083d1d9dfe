# SPDX-FileCopyrightText: The authors of From Convolution to Compression
# SPDX-License-Identifier: MIT
#
# awk -f .ci/includes.awk FILE...: names what these sources use of the standard library without the header that has it,
# neither in the file itself nor in one of ours that it includes. A standard library's header happens to bring others,
# and in its next version no longer does. Status 1 if there is such a use.
BEGIN {
  of["algorithm"] = "adjacent_find all_of any_of binary_search clamp copy copy_if copy_n count count_if equal fill fill_n find" \
    " find_if for_each generate is_sorted lexicographical_compare lower_bound max max_element merge min min_element minmax" \
    " minmax_element mismatch none_of nth_element partial_sort partition remove remove_if replace reverse rotate search" \
    " set_difference shuffle sort stable_sort swap_ranges transform unique upper_bound"
  of["array"] = "array"
  of["atomic"] = "atomic atomic_ref atomic_thread_fence memory_order memory_order_acquire memory_order_relaxed memory_order_release"
  of["bit"] = "bit_cast bit_ceil bit_floor bit_width countl_zero countr_zero endian has_single_bit popcount"
  of["charconv"] = "from_chars to_chars"
  of["chrono"] = "chrono"
  of["cmath"] = "cbrt ceil cos erf erfc exp exp2 fabs floor fma fmod frexp hypot isfinite isinf isnan ldexp llround log log10" \
    " log2 lrint lround nearbyint nextafter pow remainder rint round signbit sin sqrt tan tanh trunc"
  of["complex"] = "complex"
  of["condition_variable"] = "condition_variable"
  of["cstdint"] = "int8_t int16_t int32_t int64_t intptr_t uint8_t uint16_t uint32_t uint64_t uintptr_t"
  of["cstdio"] = "FILE fclose fflush fopen fprintf fputs fread fwrite perror printf puts rename snprintf sscanf"
  of["cstdlib"] = "abort aligned_alloc atexit atoi calloc exit free getenv malloc quick_exit strtod strtol strtoul strtoull"
  of["cstring"] = "memchr memcmp memcpy memmove memset strchr strcmp strerror strlen strncmp strstr"
  of["deque"] = "deque"
  of["exception"] = "current_exception exception exception_ptr rethrow_exception terminate"
  of["filesystem"] = "filesystem"
  of["fstream"] = "fstream ifstream ofstream"
  of["functional"] = "bind cref function greater hash plus ref reference_wrapper"
  of["future"] = "async future promise"
  of["iomanip"] = "setfill setprecision setw"
  of["iostream"] = "cerr cin clog cout"
  of["istream"] = "istream"
  of["iterator"] = "back_inserter istreambuf_iterator"
  of["limits"] = "numeric_limits"
  of["list"] = "list"
  of["map"] = "map multimap"
  of["memory"] = "make_shared make_unique shared_ptr unique_ptr weak_ptr"
  of["mutex"] = "call_once lock_guard mutex once_flag recursive_mutex scoped_lock unique_lock"
  of["new"] = "align_val_t bad_alloc nothrow"
  of["numeric"] = "accumulate exclusive_scan gcd inclusive_scan inner_product iota lcm midpoint partial_sum reduce"
  of["optional"] = "nullopt optional"
  of["ostream"] = "endl ostream"
  of["queue"] = "priority_queue queue"
  of["random"] = "mt19937 mt19937_64 uniform_int_distribution uniform_real_distribution"
  of["regex"] = "regex smatch"
  of["set"] = "multiset set"
  of["shared_mutex"] = "shared_lock shared_mutex"
  of["source_location"] = "source_location"
  of["span"] = "span"
  of["sstream"] = "istringstream ostringstream stringstream"
  of["stdexcept"] = "domain_error invalid_argument length_error logic_error out_of_range runtime_error"
  of["string"] = "getline stod stoi stol stoul stoull string to_string"
  of["string_view"] = "string_view"
  of["system_error"] = "error_code generic_category system_error"
  of["thread"] = "jthread this_thread thread"
  of["tuple"] = "apply make_tuple tie tuple"
  of["type_traits"] = "conditional_t decay_t enable_if_t false_type integral_constant invoke_result_t is_arithmetic_v" \
    " is_constant_evaluated is_floating_point_v is_integral_v is_same_v is_signed_v is_trivially_copyable_v is_unsigned_v" \
    " make_signed_t make_unsigned_t remove_cv_t remove_cvref_t true_type type_identity_t"
  of["unordered_map"] = "unordered_map"
  of["unordered_set"] = "unordered_set"
  of["variant"] = "get_if holds_alternative monostate variant visit"
  of["vector"] = "vector"
  # What a header has to bring, because it has functions of those types or types that are made of them.
  brings["istream"] = brings["ostream"] = "iostream sstream fstream"
  brings["exception"] = "stdexcept"
  brings["string_view"] = "string"
  brings["system_error"] = "filesystem"
  for (header in of) {
    count = split(of[header], names, " ")
    for (i = 1; i <= count; ++i) header_of[names[i]] = header
  }
}
FNR == 1 {
  raw = ""
  depth = 0
  files[++file_count] = FILENAME
  # Our headers are included by the end of their paths.
  for (path = FILENAME; ; path = substr(path, RSTART + 1)) {
    ends[path] = ends[path] " " FILENAME
    if (!match(path, "/")) break
  }
}
raw == "" && /^[ \t]*#[ \t]*(if|endif)/ { depth += /endif/ ? -1 : 1 }
raw == "" && /^[ \t]*#[ \t]*include/ {
  name = $0
  sub(/^[^<"]*[<"]/, "", name)
  sub(/[>"].*/, "", name)
  while (sub(/^\.\.\//, "", name)) {
  }
  if (depth) in_kernels[FILENAME] = in_kernels[FILENAME] " " name
  else includes[FILENAME] = includes[FILENAME] " " name
  next
}
{
  line = $0
  # Texts of programs: R"name( to )name".
  while (1) {
    if (raw != "") {
      at = index(line, raw)
      if (!at) next
      line = substr(line, at + length(raw))
      raw = ""
    }
    gsub(/"([^"\\(]|\\.)*"/, "", line)
    if (!match(line, /R"[a-z_]*\(/)) break
    raw = ")" substr(line, RSTART + 2, RLENGTH - 3) "\""
    rest = substr(line, RSTART + RLENGTH)
    use(substr(line, 1, RSTART - 1))
    line = rest
  }
  gsub(/"([^"\\]|\\.)*"/, "", line)
  sub(/\/\/.*/, "", line)
  use(line)
}
function use(text, name) {
  while (match(text, /std::[a-z0-9_A-Z]+/)) {
    name = substr(text, RSTART + 5, RLENGTH - 5)
    text = substr(text, RSTART + RLENGTH)
    if (name in header_of && !((FILENAME, name) in used)) {
      used[FILENAME, name] = FNR
      uses[FILENAME] = uses[FILENAME] " " name
    }
  }
}
# What `file` includes, and what does of ours, in `seen`.
function collect(file, names, paths, i, j, count, found, near) {
  if (file in visited) return
  visited[file] = 1
  count = split(includes[file] (is_kernel || file == top ? in_kernels[file] : ""), names, " ")
  for (i = 1; i <= count; ++i) {
    seen[names[i]] = 1
    near = file
    sub(/[^\/]*$/, names[i], near)
    if (near in includes) {
      collect(near)
      continue
    }
    found = split(ends[names[i]], paths, " ")
    for (j = 1; j <= found; ++j) collect(paths[j])
  }
}
function is_brought(header, others, i, count) {
  if (header in seen) return 1
  count = split(brings[header], others, " ")
  for (i = 1; i <= count; ++i) if (others[i] in seen) return 1
  return header ~ /^c/ && (substr(header, 2) ".h") in seen
}
END {
  for (f = 1; f <= file_count; ++f) {
    split("", seen)
    split("", visited)
    top = files[f]
    is_kernel = top ~ /\.cuh?$/ || top ~ /emulator\/include/
    collect(top)
    count = split(uses[files[f]], names, " ")
    for (i = 1; i <= count; ++i) {
      if (is_brought(header_of[names[i]])) continue
      printf "%s:%d: std::%s without <%s>\n", files[f], used[files[f], names[i]], names[i], header_of[names[i]]
      status = 1
    }
  }
  exit status
}
