// SPDX-License-Identifier: Apache-2.0
// DebugPages: the debug API of a manager, /debug/v1/. debug_v1.json describes it.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <pintle/http/handler.hpp>
#include <pintle/manager/manager.hpp>

#include "controller/history/reconcile_history.hpp"
#include "controller/runner/controller_runner.hpp"
#include "debug_stream.hpp"
#include "election/elector.hpp"
#include "log_tail.hpp"
#include "manager/cache_health.hpp"
#include "replicas.hpp"

namespace pintle {

// The state of the manager at one moment. The controllers and caches exist until the call has returned.
struct Inspected {
  bool ready = false;
  bool leading = false;
  std::vector<std::string> problems{};           // why it is not ready
  std::optional<ElectionStanding> election{};    // none without leader election
  std::vector<ControllerRunner*> controllers{};  // empty before all of them exist
  std::vector<CacheHealth::Cache> caches{};
};

// Thread-safe.
class DebugPages final : public http::Handler {
 public:
  static constexpr int max_streams = 8;

  // The parts of the manager. They must outlive this object.
  struct Surroundings {
    Executor& executor;
    const ManagerOptions& options;
    const ReconcileHistory& history;
    const LogTail& log_tail;
    std::function<Inspected()> inspect{};
    Replicas* replicas = nullptr;  // null without leader election
    Log log{};
  };
  explicit DebugPages(Surroundings around);

  [[nodiscard]] http::Response handle(const http::Request& request) override;

 private:
  [[nodiscard]] json::Value operator_value(const Inspected& seen) const;
  [[nodiscard]] json::Value controllers_value() const;
  [[nodiscard]] http::Response replicas() const;
  [[nodiscard]] http::Response of_controller(const http::Request& request, std::string_view rest) const;
  [[nodiscard]] http::Response queue(const ControllerRunner& controller, const http::Target& target) const;
  [[nodiscard]] http::Response objects(const ControllerRunner& controller, const http::Target& target) const;
  [[nodiscard]] http::Response object(const ControllerRunner& controller, const http::Target& target,
                                      const Inspected& seen) const;
  [[nodiscard]] http::Response reconciles(const http::Target& target) const;
  [[nodiscard]] http::Response log_lines(const http::Target& target) const;
  [[nodiscard]] http::Response stream(const http::Target& target) const;
  [[nodiscard]] http::Response set_level(const http::Target& target) const;

  const Surroundings around_;
  const WallTime started_at_;
  const std::shared_ptr<std::atomic<int>> open_streams_ = std::make_shared<std::atomic<int>>(0);
};

}  // namespace pintle
