// SPDX-License-Identifier: Apache-2.0
// The only macros of the public headers: PINTLE_EXPORT, and lock annotations for -Wthread-safety of clang, which expand
// to nothing for other compilers.
#pragma once

// Marks a class or function that a shared library of pintle exports. Everything else is hidden.
#define PINTLE_EXPORT __attribute__((visibility("default")))

#if defined(__clang__)
#define PINTLE_ANNOTATE(x) __attribute__((x))
#else
#define PINTLE_ANNOTATE(x)
#endif

#define PINTLE_CAPABILITY(name) PINTLE_ANNOTATE(capability(name))
#define PINTLE_SCOPED_CAPABILITY PINTLE_ANNOTATE(scoped_lockable)
#define PINTLE_GUARDED_BY(mutex) PINTLE_ANNOTATE(guarded_by(mutex))
#define PINTLE_PT_GUARDED_BY(mutex) PINTLE_ANNOTATE(pt_guarded_by(mutex))
#define PINTLE_REQUIRES(...) PINTLE_ANNOTATE(requires_capability(__VA_ARGS__))
#define PINTLE_EXCLUDES(...) PINTLE_ANNOTATE(locks_excluded(__VA_ARGS__))
#define PINTLE_ACQUIRE(...) PINTLE_ANNOTATE(acquire_capability(__VA_ARGS__))
#define PINTLE_RELEASE(...) PINTLE_ANNOTATE(release_capability(__VA_ARGS__))
#define PINTLE_NO_THREAD_SAFETY_ANALYSIS PINTLE_ANNOTATE(no_thread_safety_analysis)
