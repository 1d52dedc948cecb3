// SPDX-License-Identifier: Apache-2.0
// Replicas: what the processes of an operator with leader election do at the same time.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <pintle/base/time.hpp>

namespace pintle::testkit {

// A process that is suspended, that has crashed, or whose manager has ended cannot notice that another one works, or
// has ended in reality: its work is not judged.
class Replicas {
 public:
  // `lives`: whether the process with a number has neither crashed nor ended.
  explicit Replicas(std::function<bool(int instance)> lives) : lives_(std::move(lives)) {}

  // These controllers work in every instance.
  void allow(std::set<std::string> controllers) { allowed_ = std::move(controllers); }
  // A process gets no processor.
  void freeze(int instance, Instant from, Instant until) {
    frozen_.push_back({.instance = instance, .from = from, .until = until});
  }
  // Another instance takes the Lease.
  void hand_over(Instant at) { handed_over_ = at; }

  // Each returns what another instance does at the same time, as a sentence.
  [[nodiscard]] std::optional<std::string> begin(int instance, const std::string& controller, const std::string& key,
                                                 Instant now);
  void end(int instance, const std::string& controller, const std::string& key);
  // At the end of a call of an outside system, which began at `from`.
  [[nodiscard]] std::optional<std::string> call(int instance, const std::string& call, Instant from, Instant until);

 private:
  struct Span {
    int instance = 0;
    Instant from{};
    Instant until{};
  };

  [[nodiscard]] bool is_judged(const Span& span) const;

  std::function<bool(int)> lives_;
  std::set<std::string> allowed_;
  std::vector<Span> frozen_;
  Instant handed_over_ = Instant::min();
  std::map<std::pair<std::string, std::string>, std::map<int, Instant>> reconciles_;  // in progress: their begin
  std::map<std::string, std::map<int, Span>> calls_;                                  // the last one of each instance
};

}  // namespace pintle::testkit
