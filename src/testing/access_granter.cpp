// SPDX-License-Identifier: Apache-2.0
#include <pintle/testing/access_granter.hpp>

#include <set>
#include <utility>

#include <pintle/controller/status_writer.hpp>
#include <pintle/json/pointer.hpp>
#include <pintle/json/value.hpp>
#include <pintle/object/bytes.hpp>

namespace pintle::testkit {
namespace {

using service::AccessRequest;
using service::ClusterRequest;

constexpr std::string_view granter_finalizer = "granter.pintle.dev/granted";
constexpr std::string_view platform_name = "platform";

// A held deletion is retried when defer_deletions() enqueues the request.
constexpr Duration long_wait = std::chrono::hours(24 * 365);

ManagerOptions manager_options(Simulation& simulation, std::optional<Cluster> platform) {
  ManagerOptions options{.name = "access-granter",
                         .log_level = LogLevel::off,
                         .executor = &simulation.executor(),
                         .transport = simulation.connect()};
  if (platform) options.clusters = {{.name = std::string(platform_name), .address = std::move(platform)}};
  return options;
}

// Changes the URL to https, because a client sends a token only over https.
std::string with_token(const std::string& kubeconfig, const std::string& token) {
  json::Value changed = *json::parse(kubeconfig);
  json::Value& server = *json::find(changed, "/clusters/0/cluster/server");
  const std::string url(server.get_string());
  server = "https" + url.substr(url.find(':'));
  *json::find(changed, "/users/0/user") = json::object{{"token", token}};
  return json::print(changed);
}

}  // namespace

class [[gnu::visibility("hidden")]] AccessGranter::State {
 public:
  State(Executor& executor, AccessGranterOptions options)
      : cluster_requests(std::make_shared<ChannelSource>(executor)),
        access_requests(std::make_shared<ChannelSource>(executor)),
        executor_(executor),
        options_(std::move(options)),
        mutex_(executor) {}

  Outcome decide(const ClusterRequest& request, Context& ctx);
  Outcome decide(const AccessRequest& request, Context& ctx);
  template <class T>
  Outcome finalize(const T& request, Context& ctx);

  void decide(Type kind, const ObjectKey& request, GrantDecision decision);
  void set_delay(Duration delay);
  void defer_deletions(bool hold);
  void rotate(const ObjectKey& request);
  [[nodiscard]] int secrets_written() const;
  [[nodiscard]] const std::map<std::string, SimulatedCluster*>& clusters() const { return options_.clusters; }

  const std::shared_ptr<ChannelSource> cluster_requests;
  const std::shared_ptr<ChannelSource> access_requests;

 private:
  using Id = std::tuple<std::string, ObjectKey>;  // kind and key

  [[nodiscard]] GrantDecision decision_on(const Id& id) const;
  [[nodiscard]] Duration wait_for(const Id& id, const Metadata& metadata);
  template <class T>
  Outcome write(const T& request, std::string_view phase, Context& ctx) const;
  [[nodiscard]] Result<void> write_secret(const AccessRequest& request, const SimulatedCluster& leads_to, Context& ctx);

  Executor& executor_;
  const AccessGranterOptions options_;
  mutable Mutex mutex_;
  Duration delay_ PINTLE_GUARDED_BY(mutex_) = options_.delay;
  bool holds_deletions_ PINTLE_GUARDED_BY(mutex_) = false;
  std::set<Id> held_ PINTLE_GUARDED_BY(mutex_);  // requests whose deletion is held
  std::map<Id, GrantDecision> decisions_ PINTLE_GUARDED_BY(mutex_);
  std::map<Id, std::pair<std::string, Instant>> seen_ PINTLE_GUARDED_BY(mutex_);  // uid/generation, observed since
  std::map<ObjectKey, int> rotations_ PINTLE_GUARDED_BY(mutex_);
  std::map<ObjectKey, std::string> written_ PINTLE_GUARDED_BY(mutex_);  // uid and rotation of the Secrets
  int secrets_written_ PINTLE_GUARDED_BY(mutex_) = 0;
};

GrantDecision AccessGranter::State::decision_on(const Id& id) const {
  const MutexLock lock(mutex_);
  const auto decided = decisions_.find(id);
  return decided == decisions_.end() ? options_.decision : decided->second;
}

Duration AccessGranter::State::wait_for(const Id& id, const Metadata& metadata) {
  const MutexLock lock(mutex_);
  auto& [version, since] = seen_[id];
  const std::string now = metadata.uid + "/" + std::to_string(metadata.generation);
  if (std::exchange(version, now) != now) since = executor_.now();
  return since + delay_ - executor_.now();
}

template <class T>
Outcome AccessGranter::State::write(const T& request, std::string_view phase, Context& ctx) const {
  ctx.status().set("/phase", phase);
  ctx.status().set("/observedGeneration", json::Value(request.metadata.generation));
  return done;
}

Outcome AccessGranter::State::decide(const ClusterRequest& request, Context& ctx) {
  const Id id{"ClusterRequest", request.metadata.key()};
  const GrantDecision decision = decision_on(id);
  if (decision == GrantDecision::leave_pending || !options_.clusters.contains(request.spec.purpose)) return done;
  if (const Duration wait = wait_for(id, request.metadata); wait > Duration::zero()) return requeue_after(wait);
  return write(request, decision == GrantDecision::grant ? service::request_granted : service::request_denied, ctx);
}

Outcome AccessGranter::State::decide(const AccessRequest& request, Context& ctx) {
  const Id id{"AccessRequest", request.metadata.key()};
  const GrantDecision decision = decision_on(id);
  if (decision == GrantDecision::leave_pending || !request.spec.request_ref) return done;
  if (const Duration wait = wait_for(id, request.metadata); wait > Duration::zero()) return requeue_after(wait);
  if (decision == GrantDecision::deny) return write(request, service::request_denied, ctx);
  const auto cluster_request =
      ctx.get<ClusterRequest>({request.spec.request_ref->namespace_, request.spec.request_ref->name});
  // A change of the ClusterRequest enqueues this request.
  if (!cluster_request && cluster_request.error().code == ErrorCode::not_found) return done;
  if (!cluster_request) return failed(cluster_request.error());
  const auto cluster = options_.clusters.find(cluster_request->spec.purpose);
  if (cluster_request->status.phase != service::request_granted || cluster == options_.clusters.end()) return done;
  if (auto written = write_secret(request, *cluster->second, ctx); !written) return failed(written.error());
  ctx.status().set("/secretRef", json::Value{{"name", request.metadata.name + "-kubeconfig"}});
  return write(request, service::request_granted, ctx);
}

Result<void> AccessGranter::State::write_secret(const AccessRequest& request, const SimulatedCluster& leads_to,
                                                Context& ctx) {
  int rotation = 0;
  {
    const MutexLock lock(mutex_);
    rotation = rotations_[request.metadata.key()];
  }
  const std::string version = request.metadata.uid + "/" + std::to_string(rotation);
  const std::string first = leads_to.kubeconfig();
  const std::string kubeconfig = rotation == 0 ? first : with_token(first, "token-" + std::to_string(rotation));
  const json::object owner{{"apiVersion", GroupVersionKind(AccessRequest::type).api_version()},
                           {"kind", "AccessRequest"},
                           {"name", request.metadata.name},
                           {"uid", request.metadata.uid},
                           {"controller", true}};
  json::object metadata{{"name", request.metadata.name + "-kubeconfig"},
                        {"namespace", request.metadata.namespace_},
                        {"annotations", json::object{{"granter.pintle.dev/version", version}}},
                        {"ownerReferences", json::array{owner}}};
  const auto applied = ctx.apply(json::Value{{"apiVersion", "v1"},
                                             {"kind", "Secret"},
                                             {"metadata", std::move(metadata)},
                                             {"data", {{"kubeconfig", Bytes(kubeconfig).to_base64()}}}},
                                 {.adopt = true});
  if (!applied) return fail(applied.error());
  const MutexLock lock(mutex_);
  if (std::exchange(written_[request.metadata.key()], version) != version) ++secrets_written_;
  return {};
}

template <class T>
Outcome AccessGranter::State::finalize(const T& request, Context& ctx) {
  {
    const MutexLock lock(mutex_);
    if (holds_deletions_) {
      held_.insert({GroupVersionKind(T::type).kind, request.metadata.key()});
      return requeue_after(long_wait);
    }
  }
  if constexpr (std::is_same_v<T, AccessRequest>) {
    return ctx.remove(GroupVersionKind("v1", "Secret"),
                      {request.metadata.namespace_, request.metadata.name + "-kubeconfig"});
  } else {
    return done;
  }
}

void AccessGranter::State::decide(Type kind, const ObjectKey& request, GrantDecision decision) {
  const std::string name = GroupVersionKind(kind).kind;
  {
    const MutexLock lock(mutex_);
    decisions_[{name, request}] = decision;
  }
  (name == "ClusterRequest" ? cluster_requests : access_requests)->send(request, "decided");
}

void AccessGranter::State::set_delay(Duration delay) {
  const MutexLock lock(mutex_);
  delay_ = delay;
}

void AccessGranter::State::defer_deletions(bool hold) {
  std::set<Id> held;
  {
    const MutexLock lock(mutex_);
    holds_deletions_ = hold;
    if (!hold) held = std::exchange(held_, {});
  }
  for (const auto& [kind, key] : held) {
    (kind == "ClusterRequest" ? cluster_requests : access_requests)->send(key, "deletions are not held any more");
  }
}

void AccessGranter::State::rotate(const ObjectKey& request) {
  {
    const MutexLock lock(mutex_);
    ++rotations_[request];
  }
  access_requests->send(request, "rotated");
}

int AccessGranter::State::secrets_written() const {
  const MutexLock lock(mutex_);
  return secrets_written_;
}

AccessGranter::AccessGranter(Simulation& simulation, SimulatedCluster& platform, AccessGranterOptions options)
    : AccessGranter(simulation, std::optional(platform.address()), std::move(options)) {}

AccessGranter::AccessGranter(Simulation& simulation, AccessGranterOptions options)
    : AccessGranter(simulation, std::nullopt, std::move(options)) {}

AccessGranter::AccessGranter(Simulation& simulation, std::optional<Cluster> platform, AccessGranterOptions options)
    : state_(std::make_shared<State>(simulation.executor(), std::move(options))),
      manager_(manager_options(simulation, platform)) {
  for (const auto& [purpose, leads_to] : state_->clusters()) {
    if (leads_to == nullptr) {
      manager_.add_error(make_error(ErrorCode::invalid, "AccessGranterOptions::clusters: purpose " + purpose +
                                                            " has no cluster; set one, or remove the purpose"));
    }
  }
  const std::string cluster(platform ? platform_name : home_cluster);
  manager_.add(Controller<ClusterRequest>{
      .cluster = cluster,
      .channels = {state_->cluster_requests},
      .reconcile = [state = state_](const ClusterRequest& request,
                                    Context& ctx) { return state->decide(request, ctx); },
      .finalize = [state = state_](const ClusterRequest& one, Context& ctx) { return state->finalize(one, ctx); },
      .finalizer = std::string(granter_finalizer)});
  Watches cluster_requests{.kind = ClusterRequest::type};
  cluster_requests.references = typed_map<AccessRequest>([](const AccessRequest& request) -> std::vector<ObjectKey> {
    if (!request.spec.request_ref) return {};
    return {{request.spec.request_ref->namespace_, request.spec.request_ref->name}};
  });
  manager_.add(Controller<AccessRequest>{
      .cluster = cluster,
      .watches = {std::move(cluster_requests)},
      .channels = {state_->access_requests},
      .reconcile = [state = state_](const AccessRequest& request, Context& ctx) { return state->decide(request, ctx); },
      .finalize = [state = state_](const AccessRequest& one, Context& ctx) { return state->finalize(one, ctx); },
      .finalizer = std::string(granter_finalizer)});
}

AccessGranter::~AccessGranter() { manager_.stop(); }

Result<void> AccessGranter::start() { return manager_.start(); }

void AccessGranter::decide(Type kind, const ObjectKey& request, GrantDecision decision) {
  state_->decide(kind, request, decision);
}
void AccessGranter::set_delay(Duration delay) { state_->set_delay(delay); }
void AccessGranter::defer_deletions(bool hold) { state_->defer_deletions(hold); }
void AccessGranter::rotate(const ObjectKey& access_request) { state_->rotate(access_request); }
int AccessGranter::secrets_written() const { return state_->secrets_written(); }

}  // namespace pintle::testkit
