// ProfilePages: /debug/profile and /debug/heap: where time and memory of this process go.
#pragma once

#include <pintle/base/executor.hpp>
#include <pintle/http/handler.hpp>

namespace pintle {

// GET /debug/profile?seconds=N   stacks with the CPU time spent in them during the next N seconds, 1 to 60, else 10
// GET /debug/heap                what the allocator of the C library holds, as JSON
// A profile is text in the form of flamegraph.pl and speedscope, one stack a line with how often it was met:
// "main;outer;inner 42". One is taken at a time; it ends when its reader goes away. Thread-safe.
class ProfilePages final : public http::Handler {
 public:
  explicit ProfilePages(Executor& executor) : executor_(executor) {}

  [[nodiscard]] http::Response handle(const http::Request& request) override;

 private:
  [[nodiscard]] http::Response profile(const http::Target& target) const;

  Executor& executor_;
};

}  // namespace pintle
