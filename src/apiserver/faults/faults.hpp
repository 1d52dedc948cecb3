// SPDX-License-Identifier: Apache-2.0
// Faults: applies the fault rules of a server to its requests.
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

// The effects that apply to one request.
struct Effects {
  Duration delay{};
  Duration response_delay{};
  std::uint64_t rewind = 0;   // number of versions
  bool keep_watches = false;  // in a rewind
  std::optional<http::Drop> drop{};
  std::optional<http::ErrorResponse> error_response{};
  std::optional<ErrorEvent> error_event{};
  ReadFaults read{};
  http::BodyFaults body{};
};

// Thread-safe. A request takes no lock here if there are no rules.
class Faults {
 public:
  using RequestHandler = std::function<http::Response(const http::Request& request, const ReadFaults& faults)>;

  // Draws a seed from the executor only if there are rules.
  Faults(Executor& executor, Storage& storage, RequestHandler handler, ServerFaults faults);

  // Replaces the rules. Their counts start at zero, and replicas no longer lag behind.
  void set(ServerFaults faults);
  [[nodiscard]] http::Response handle(const http::Request& request);
  // Number of times that a rule has hit a request.
  [[nodiscard]] std::uint64_t hits() const noexcept { return hits_; }

 private:
  struct Armed {
    ServerFault rule;
    http::FaultCounter count{};
    std::shared_ptr<Lag> lag{};  // for a StaleRead: one replica for all requests that it hits
  };

  [[nodiscard]] Effects decide(const http::Request& request);
  [[nodiscard]] http::Response proceed(const http::Request& request, const Effects& effects);
  [[nodiscard]] http::Response finish(http::Response response, const Effects& effects, bool is_refused);

  Executor& executor_;
  Storage& storage_;
  const RequestHandler handler_;
  std::atomic<bool> is_armed_ = false;
  std::atomic<std::uint64_t> hits_ = 0;
  Mutex mutex_;
  std::vector<Armed> rules_ PINTLE_GUARDED_BY(mutex_);
  Random random_ PINTLE_GUARDED_BY(mutex_){0};
};

}  // namespace pintle::apiserver
