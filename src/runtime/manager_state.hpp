// What a Manager holds, from its options to what runs.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <tuple>
#include <vector>

#include <pintle/http/server.hpp>
#include <pintle/runtime/manager.hpp>

#include "controller_runner.hpp"
#include "flags.hpp"
#include "health.hpp"

namespace pintle {

class Manager::State {
 public:
  explicit State(ManagerOptions given);

  // Reads the flags into the options; once, before anything else.
  Result<Flags> read_arguments();
  Result<void> start();
  void request_stop() noexcept { stop_.request_stop(); }
  void stop();
  bool is_ready() const;
  bool is_quiet() const;
  std::string print_crds() const;

  // Everything that is wrong with what was declared.
  std::vector<Error> declaration_errors() const;

  ManagerOptions options;
  std::unique_ptr<Runtime> own_runtime;
  Runtime& runtime;
  MetricsRegistry metrics;
  std::vector<ControllerSpec> specs;
  std::string listen_address;

 private:
  // Kinds with one list and watch for all who want the same objects of them.
  using InformerId = std::tuple<GroupVersionKind, std::string, std::string, std::string>;

  Result<void> connect();
  Result<void> serve_health();
  Result<void> install_definitions();
  Result<void> make_controllers();
  Result<Informer*> informer(InformerScope scope);
  Result<void> fill_caches();
  void stop_controllers();

  Log log_;
  std::stop_source stop_;
  bool arguments_read_ = false;
  std::shared_ptr<http::Transport> transport_;
  std::unique_ptr<Client> client_;
  std::unique_ptr<Health> health_;
  std::unique_ptr<http::Server> server_;
  std::unique_ptr<EventRecorder> events_;
  std::unique_ptr<Dispatcher> dispatcher_;
  std::map<InformerId, std::unique_ptr<Informer>> informers_;
  std::vector<std::unique_ptr<ControllerRunner>> controllers_;

  mutable Mutex mutex_;
  bool ready_ PINTLE_GUARDED_BY(mutex_) = false;
};

}  // namespace pintle
