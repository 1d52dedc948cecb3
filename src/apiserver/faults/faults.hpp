// Faults: the faults of a server at work: counts requests and has happen what the rules say.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include <pintle/apiserver/faults.hpp>
#include <pintle/base/mutex.hpp>
#include <pintle/base/random.hpp>
#include <pintle/http/handler.hpp>
#include <pintle/sim/fault_effects.hpp>

#include "../storage/storage.hpp"
#include "apiserver/storage/lag.hpp"

namespace pintle::apiserver {

// What is to happen to one request.
struct Fate {
  Duration delay{};
  Duration answer_delay{};
  std::uint64_t rewind = 0;  // versions
  std::optional<http::Drop> drop{};
  std::optional<http::AnswerError> answer{};
  std::optional<ErrorEvent> error_event{};
  ReadFaults read{};
  http::BodyFaults body{};
};

// Thread-safe. Without rules a request takes no lock here.
class Faults {
 public:
  using Answerer = std::function<http::Response(const http::Request& request, const ReadFaults& faults)>;

  // Draws from the executor only for rules.
  Faults(Executor& executor, Storage& storage, Answerer answerer, ServerFaults faults);

  // In place of those it has; counts begin anew, and replicas that were behind are not any more.
  void set(ServerFaults faults);
  [[nodiscard]] http::Response answer(const http::Request& request);
  // How often a rule has hit a request.
  [[nodiscard]] std::uint64_t hits() const noexcept { return hits_; }

 private:
  struct Armed {
    ServerFault rule;
    http::FaultCount count{};
    std::shared_ptr<Lag> lag{};  // of a StaleRead: one replica for all it hits
  };

  [[nodiscard]] Fate decide(const http::Request& request);
  [[nodiscard]] http::Response proceed(const http::Request& request, const Fate& fate);

  Executor& executor_;
  Storage& storage_;
  const Answerer answerer_;
  std::atomic<bool> is_armed_ = false;
  std::atomic<std::uint64_t> hits_ = 0;
  Mutex mutex_;
  std::vector<Armed> rules_ PINTLE_GUARDED_BY(mutex_);
  Random random_ PINTLE_GUARDED_BY(mutex_){0};
};

}  // namespace pintle::apiserver
