// What a fault does, for whoever carries a plan out.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include <pintle/base/random.hpp>
#include <pintle/base/runtime.hpp>
#include <pintle/http/handler.hpp>
#include <pintle/sim/fault_plan.hpp>

namespace pintle::http {

// "GET /api/v1/pods": what FaultRule::per_target counts by.
[[nodiscard]] std::string target_of(const Request& request);

// Counts for one rule. One thread at a time.
class FaultCount {
 public:
  // Whether the rule hits this request, which is counted if it is one of its own. `draw` gives 64 random bits.
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
  std::map<std::string, std::uint64_t> counted_;  // by target, or under ""
  std::uint64_t done_ = 0;
};

// What is to happen to one body. Of several that do the same the first counts.
class BodyFaults {
 public:
  void add(const Cut& cut);
  void add(const RepeatEvent& repeat);
  void add(const StallEvents& stall);
  void add(const SplitBody& split);

  // To be called when the head goes out. Lines are those of a stream that is no document; a cut and pieces are of a
  // whole body too, which becomes a stream by that.
  void alter(Response& response, const Clock& clock) const;

 private:
  std::optional<Cut> cut_;
  std::optional<RepeatEvent> repeat_;
  std::optional<StallEvents> stall_;
  std::optional<SplitBody> split_;
};

// The answer of AnswerError.
[[nodiscard]] Response response_of(const AnswerError& answer);

}  // namespace pintle::http
