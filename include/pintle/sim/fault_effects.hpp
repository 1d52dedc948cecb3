// SPDX-License-Identifier: Apache-2.0
// The effects of faults, for transports and servers that inject them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include <pintle/base/annotations.hpp>
#include <pintle/base/executor.hpp>
#include <pintle/base/random.hpp>
#include <pintle/http/handler.hpp>
#include <pintle/sim/fault_plan.hpp>

namespace pintle::http {

/// Method and path of a request, such as "GET /api/v1/pods": FaultRule::per_target counts each of them separately.
[[nodiscard]] PINTLE_EXPORT std::string target_of(const Request& request);

/// Counts requests and hits of one rule. Thread-safety: none.
class FaultCounter {
 public:
  /// Returns whether the rule hits this request. Counts the request if FaultRule::only selects it. `draw` returns 64
  /// random bits.
  template <class Effect, class Draw>
  [[nodiscard]] bool hits(const FaultRule<Effect>& rule, const Request& request, const Draw& draw) {
    if (rule.only && !rule.only(request)) return false;
    const std::uint64_t count = ++counted_[rule.per_target ? target_of(request) : std::string()];
    if (count < rule.first || (count - rule.first) % std::max<std::uint64_t>(rule.every, 1) != 0) return false;
    if (done_ >= rule.times) return false;
    if (rule.probability < 1 && Random::to_unit(draw()) >= rule.probability) return false;
    ++done_;
    return true;
  }

 private:
  std::map<std::string, std::uint64_t> counted_;  // by target; under "" if the rule counts all targets together
  std::uint64_t done_ = 0;
};

/// The faults of one body. If several faults have the same type, the first one applies.
class PINTLE_EXPORT BodyFaults {
 public:
  void add(const TruncateBody& cut);
  void add(const RepeatEvent& repeat);
  void add(const StallEvents& stall);
  void add(const SplitBody& split);

  /// Call it when the head is sent. RepeatEvent and StallEvents apply only to a stream that is not a document, such as
  /// a watch. TruncateBody and SplitBody apply to every body and turn a whole body into a stream.
  void alter(Response& response, const Clock& clock) const;

 private:
  std::optional<TruncateBody> cut_;
  std::optional<RepeatEvent> repeat_;
  std::optional<StallEvents> stall_;
  std::optional<SplitBody> split_;
};

/// The response that ErrorResponse describes.
[[nodiscard]] PINTLE_EXPORT Response response_of(const ErrorResponse& error);

}  // namespace pintle::http
