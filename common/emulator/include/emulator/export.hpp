// SPDX-FileCopyrightText: The authors of From Convolution to Compression
// SPDX-License-Identifier: MIT
#pragma once

/// Marks what the emulator's shared library shows to programs; everything else in it is hidden.
#define EMULATOR_API __attribute__((visibility("default")))
/// Marks what libraries/ uses of it: they find it, and the device itself takes none but its own.
#ifdef EMULATOR_LIBRARY
#define EMULATOR_FOR_LIBRARIES __attribute__((visibility("default")))
#else
#define EMULATOR_FOR_LIBRARIES __attribute__((visibility("protected")))
#endif

/// What C programs see, too: their functions have no other values than those that are given.
#ifdef __cplusplus
#define EMULATOR_C_BEGIN extern "C" {
#define EMULATOR_C_END }
#define EMULATOR_OR(value) = value
#else
#define EMULATOR_C_BEGIN
#define EMULATOR_C_END
#define EMULATOR_OR(value)
#endif

/// Two calls in two branches stay two: where each of them stands matters.
#ifdef __clang__
#define EMULATOR_NO_MERGE __attribute__((nomerge, convergent))
#else
#define EMULATOR_NO_MERGE
#endif

/// Wrappers that kernels call: always inlined and without a line of their own, so that what happens in them
/// is reported at the line of the kernel.
#define EMULATOR_INLINED inline __attribute__((always_inline, artificial))
#define EMULATOR_DEVICE static EMULATOR_INLINED __attribute__((unused))
