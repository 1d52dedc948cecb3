// What the modes of pintle-bench have in common.
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
  dynamic,   // objects as they come, without managedFields
  typed,     // each is also read into the struct of its kind
  metadata,  // nothing but the metadata is fetched and kept
};

struct BenchOptions {
  std::string kubeconfig{};
  std::string kind = "widgets";
  std::string namespace_{};  // empty: all; for fill, n10k and n40k
  Form form = Form::dynamic;
  FirstRead first_read = FirstRead::paged;
  int concurrency = 10;
  std::size_t count = 0;
  int rate = 200;  // writes a second
  Duration hold = std::chrono::seconds(1);
  std::string out{};
  std::stop_token stop{};  // then a mode ends at once, and what it answers does not count
};

// Each answers what it measured, which is printed as one line.
using Measured = Result<json::object>;

// Creates objects, as many as asked for, or deletes all of them.
[[nodiscard]] Measured fill(const BenchOptions& options);
[[nodiscard]] Measured reset(const BenchOptions& options);
// Fills a cache and holds it: seconds to sync, CPU seconds of the whole process, RSS at sync, its peak, and after the
// hold; bytes an object are those of the RSS that came with the objects.
[[nodiscard]] Measured measure_sync(const BenchOptions& options);
// Notes when the reconcile of each value that `write` sends is entered.
[[nodiscard]] Measured measure_latency(const BenchOptions& options);
// Sends those values at a rate, and joins when they were sent, and answered, with what `latency` notes.
[[nodiscard]] Measured write(const BenchOptions& options);
// Patches the status of each gadget that is behind: from the first pass until the watch has confirmed the last patch.
[[nodiscard]] Measured measure_throughput(const BenchOptions& options);
// Writes into a store while others list all of it.
[[nodiscard]] Measured measure_store(const BenchOptions& options);
// Keys in and out of a work queue: all in, then all out; and by turns on several threads.
[[nodiscard]] Measured measure_queue(const BenchOptions& options);
// An operator that has nothing to do.
[[nodiscard]] Measured measure_idle(const BenchOptions& options);

}  // namespace pintle::benchmarks
