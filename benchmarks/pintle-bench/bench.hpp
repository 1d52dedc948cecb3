// What the modes of pintle-bench have in common.
#pragma once

#include <cstddef>
#include <string>

#include <pintle/base/result.hpp>
#include <pintle/base/time.hpp>
#include <pintle/json/value.hpp>

namespace pintle::benchmarks {

enum class Form {
  dynamic,   // objects as they come, without managedFields
  metadata,  // nothing is kept of them but the metadata
};

struct BenchOptions {
  std::string kubeconfig{};
  std::string kind = "widgets";
  std::string namespace_{};  // empty: all; for fill, n10k and n40k
  Form form = Form::dynamic;
  int concurrency = 10;
  std::size_t count = 50'000;
  Duration hold = std::chrono::seconds(1);
};

// Each answers what it measured, which is printed as one line.
using Measured = Result<json::object>;

// Fills a cache and holds it: seconds to sync, CPU seconds of the whole process, RSS at sync, its peak, and after the
// hold; bytes an object are those of the RSS that came with the objects.
[[nodiscard]] Measured measure_sync(const BenchOptions& options);
// Creates objects, as many as asked for, or deletes all of them.
[[nodiscard]] Measured fill(const BenchOptions& options);
[[nodiscard]] Measured reset(const BenchOptions& options);

}  // namespace pintle::benchmarks
