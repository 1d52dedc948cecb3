// SPDX-License-Identifier: Apache-2.0
// The options and the functions of the modes of pintle-bench.
#pragma once

#include <cstddef>
#include <stop_token>
#include <string>

#include <pintle/base/result.hpp>
#include <pintle/base/time.hpp>
#include <pintle/cache/reflector.hpp>
#include <pintle/json/value.hpp>

namespace pintle::benchmarks {

enum class Form {
  dynamic,   // objects as the server sends them, without managedFields
  typed,     // each object is also decoded into the struct of its kind
  metadata,  // only the metadata is read and stored
};

struct BenchOptions {
  std::string kubeconfig{};
  std::string kind = "widgets";
  std::string namespace_{};  // empty: all; for fill: n10k and n40k
  Form form = Form::dynamic;
  ListMode list_mode = ListMode::paged;
  int concurrency = 10;
  std::size_t count = 0;
  int rate = 200;  // writes or reviews per second
  Duration hold = std::chrono::seconds(1);
  std::string out{};
  bool waits = false;      // also measure how long functions wait for the I/O thread, which costs CPU time
  std::stop_token stop{};  // a stop ends the mode at once, and its result does not count
};

// The return value of each mode: its measurements, which are printed as one line.
using Measured = Result<json::object>;

// Creates `count` objects, or deletes all of them.
[[nodiscard]] Measured fill(const BenchOptions& options);
[[nodiscard]] Measured reset(const BenchOptions& options);
// Fills a cache and holds it. Measures the seconds to sync, the CPU seconds of the whole process, and the RSS at sync,
// its peak, and the RSS after the hold. The bytes of an object are the growth of the RSS, divided by the number of
// objects.
[[nodiscard]] Measured measure_sync(const BenchOptions& options);
// Records when the reconcile of each value that `write` sends begins.
[[nodiscard]] Measured measure_latency(const BenchOptions& options);
// Sends those values at a rate, and joins the times of the requests and responses with the times that `latency`
// records.
[[nodiscard]] Measured write(const BenchOptions& options);
// Patches the status of each gadget that is behind its generation. Measures from the first reconcile until the watch
// has confirmed the last patch.
[[nodiscard]] Measured measure_throughput(const BenchOptions& options);
// Changes gadgets at a rate for the time `hold`, while a cache follows them. Measures the RSS in the course of time.
[[nodiscard]] Measured measure_soak(const BenchOptions& options);
// Writes into a store while other threads list all of it.
[[nodiscard]] Measured measure_store(const BenchOptions& options);
// Adds keys to a work queue and takes them out: first all in, then all out; then by turns on several threads.
[[nodiscard]] Measured measure_queue(const BenchOptions& options);
// Sends reviews to the webhooks of this process at a rate, over kept connections with TLS.
[[nodiscard]] Measured measure_admission(const BenchOptions& options);
// Measures an operator that has nothing to do.
[[nodiscard]] Measured measure_idle(const BenchOptions& options);

}  // namespace pintle::benchmarks
