// SPDX-License-Identifier: Apache-2.0
// DebugPages: /debug/ of a manager, as JSON.
#pragma once

#include <functional>
#include <vector>

#include <pintle/http/handler.hpp>
#include <pintle/manager/manager.hpp>

#include "controller/runner/controller_runner.hpp"

namespace pintle {

// The state of the manager at one moment. The controllers exist until the call has returned.
struct Inspected {
  bool ready = false;
  bool leading = false;
  std::vector<ControllerRunner*> controllers{};  // empty before all of them exist
};

//   GET  /debug/                                   overview
//   GET  /debug/controllers                        all controllers: queue with causes, last reconciles
//   GET  /debug/controllers/NAME                   one controller
//   POST /debug/controllers/NAME/reconcile?key=K   reconciles an object now; K: "namespace/name" or "name"
//   POST /debug/log-level?level=L                  sets the log level of the operator until it ends
//
// Thread-safe.
class DebugPages final : public http::Handler {
 public:
  DebugPages(const ManagerOptions& options, Log log, std::function<Inspected()> inspect)
      : options_(options), log_(std::move(log)), inspect_(std::move(inspect)) {}

  [[nodiscard]] http::Response handle(const http::Request& request) override;

 private:
  [[nodiscard]] http::Response overview(const Inspected& seen) const;
  [[nodiscard]] http::Response controller(const http::Request& request, const std::string& rest,
                                          const Inspected& seen) const;
  [[nodiscard]] http::Response set_level(const http::Request& request) const;

  const ManagerOptions& options_;
  const Log log_;
  const std::function<Inspected()> inspect_;
};

}  // namespace pintle
