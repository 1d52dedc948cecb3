// SPDX-License-Identifier: Apache-2.0
// ProfilePages: /debug/profile and /debug/heap, the use of CPU time and memory by this process.
#pragma once

#include <pintle/base/executor.hpp>
#include <pintle/http/handler.hpp>

namespace pintle {

//   GET /debug/profile?seconds=N   stacks with their CPU time during the next N seconds (1 to 60, default 10)
//   GET /debug/heap                memory of the allocator of the C library, as JSON
//
// A profile is text in the format of flamegraph.pl and speedscope. Each line is one stack with the number of its
// samples: "main;outer;inner 42". Only one profile can be taken at a time; it ends if its client disconnects.
// Thread-safe.
class ProfilePages final : public http::Handler {
 public:
  explicit ProfilePages(Executor& executor) : executor_(executor) {}

  [[nodiscard]] http::Response handle(const http::Request& request) override;

 private:
  [[nodiscard]] http::Response profile(const http::Target& target) const;

  Executor& executor_;
};

}  // namespace pintle
