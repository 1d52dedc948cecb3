// Faults: a fault plan at work: counts requests and says what becomes of each.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <pintle/base/runtime.hpp>
#include <pintle/http/fault_plan.hpp>
#include <pintle/http/handler.hpp>

namespace pintle::http {

// What is to happen to one request.
struct Fate {
  Duration delay{};
  std::optional<Crash> crash{};
  std::optional<Drop> drop{};
  std::optional<AnswerError> answer{};
  std::optional<Cut> cut{};
  std::optional<RepeatEvent> repeat{};
};

// Belongs to the I/O thread, but for the two counts.
class Faults {
 public:
  Faults(Runtime& runtime, FaultPlan plan);

  void set(FaultPlan plan);
  // Counts the request.
  [[nodiscard]] Fate decide(const Request& request);

  [[nodiscard]] std::uint64_t calls() const noexcept { return calls_; }
  [[nodiscard]] std::uint64_t hits() const noexcept { return hits_; }

 private:
  // One fault of the plan with its counts.
  struct Armed {
    Fault fault;
    std::map<std::string, std::uint64_t> counts{};  // by target, or under ""
    std::uint64_t done = 0;
  };

  [[nodiscard]] bool strikes(Armed& armed, const Request& request);

  Runtime& runtime_;
  std::vector<Armed> plan_;
  std::atomic<std::uint64_t> calls_ = 0;
  std::atomic<std::uint64_t> hits_ = 0;
};

// The answer of AnswerError.
[[nodiscard]] Response response_of(const AnswerError& answer);
// The stream of RepeatEvent.
[[nodiscard]] std::unique_ptr<BodyStream> repeating(std::unique_ptr<BodyStream> inner, RepeatEvent repeat);

}  // namespace pintle::http
