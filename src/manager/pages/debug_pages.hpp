// DebugPages: /debug/ of a manager, as JSON.
#pragma once

#include <functional>
#include <vector>

#include <pintle/http/handler.hpp>
#include <pintle/manager/manager.hpp>

#include "controller/runner/controller_runner.hpp"

namespace pintle {

// What there is to see at one moment; the controllers live as long as the call that asked.
struct Inspected {
  bool ready = false;
  bool leading = false;
  std::vector<ControllerRunner*> controllers{};  // none before they are all there
};

// GET  /debug/                                   what there is
// GET  /debug/controllers                        all of them: queue with causes, last passes
// GET  /debug/controllers/NAME                   one
// POST /debug/controllers/NAME/reconcile?key=K   looks at an object now, "namespace/name" or "name"
// POST /debug/log-level?level=L                  of the whole operator, until it ends
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
