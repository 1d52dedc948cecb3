// SPDX-License-Identifier: Apache-2.0
#include <pintle/patterns/watcher/informer_controller.hpp>

#include <algorithm>
#include <map>
#include <utility>
#include <variant>

#include <pintle/base/text.hpp>
#include <pintle/controller/controller.hpp>
#include <pintle/patterns/watcher/opinionated_reconciler.hpp>
#include <pintle/patterns/watcher/opinionated_watcher.hpp>

#include "event_delivery.hpp"

namespace pintle::watcher {
namespace {

constexpr std::size_t max_waiting = 100'000;

Error wrong(const std::string& what) { return make_error(ErrorCode::invalid, what); }

std::string combined(const std::vector<std::string>& filters) {
  std::string all;
  for (const std::string& filter : filters) all += (all.empty() ? "" : ",") + filter;
  return all;
}

// The finalizer of an Opinionated handler; empty for other handlers.
std::string finalizer_of(const ResourceWatcher& watcher) {
  const auto* opinionated = dynamic_cast<const OpinionatedWatcher*>(&watcher);
  return opinionated == nullptr ? std::string() : opinionated->finalizer();
}
std::string finalizer_of(const Reconciler& reconciler) {
  const auto* opinionated = dynamic_cast<const OpinionatedReconciler*>(&reconciler);
  return opinionated == nullptr ? std::string() : opinionated->finalizer();
}

// Two handlers with one finalizer cannot distinguish which of them has handled an object, and the first one that cleans
// up removes the finalizer of both.
Result<void> check_finalizer_is_unused(const Kind& kind, const std::string& finalizer) {
  const auto has_it = [&](const Handler& one) {
    return std::visit([](const auto& who) { return finalizer_of(*who); }, one.who) == finalizer;
  };
  const auto all = kind.handlers.list();
  if (finalizer.empty() || std::none_of(all->begin(), all->end(), has_it)) return {};
  return wrong("two Opinionated handlers of " + kind.name + " have the finalizer \"" + finalizer +
               "\": give each of them its own finalizer");
}

// Passes the events of a custom informer to an EventDelivery, and enqueues the key of the object.
class InformerHandler final : public EventHandler {
 public:
  InformerHandler(std::shared_ptr<EventDelivery> delivery, std::shared_ptr<ChannelSource> channel)
      : delivery_(std::move(delivery)), channel_(std::move(channel)) {}

  Result<void> added(const Object& object) override {
    return object ? enqueue({.current = object}) : nil_object_error();
  }
  Result<void> updated(const Object& old, const Object& current) override {
    return current ? enqueue({.old = old, .current = current}) : nil_object_error();
  }
  Result<void> deleted(const Object& object) override { return object ? enqueue({.old = object}) : nil_object_error(); }

 private:
  Result<void> enqueue(const Change& change) {
    delivery_->observe_all(change);
    const ObjectKey key = change.object().key();
    if (channel_->send(key)) return {};
    return fail(ErrorCode::unavailable,
                "too many objects wait: " + key.to_string() + " is not handled before its next event");
  }

  const std::shared_ptr<EventDelivery> delivery_;
  const std::shared_ptr<ChannelSource> channel_;
};

}  // namespace

void default_error_handler(const Failure& failure, Context& context) {
  context.log().error(failure.error.to_string(), {{"component", "InformerController"},
                                                  {"kind", failure.resource_kind},
                                                  {"action", to_string(failure.action)},
                                                  {"attempt", failure.attempt},
                                                  {"final", failure.is_final}});
}

class InformerController::State {
 public:
  State(Executor& executor, InformerControllerOptions config)
      : executor_(executor), config_(std::move(config)), mutex_(executor) {}

  using AnyInformer = std::variant<KubernetesBasedInformer, std::shared_ptr<Informer>>;

  void add_informer(AnyInformer informer, std::string resource_kind) {
    const auto* own = std::get_if<std::shared_ptr<Informer>>(&informer);
    const MutexLock lock(mutex_);
    if (own != nullptr && *own == nullptr) {
      errors_.push_back(wrong("informer cannot be nil"));
    } else if (auto kind = kind_of(std::move(resource_kind))) {
      informers_.push_back({std::move(informer), std::move(kind)});
    }
  }

  template <class T>
  void add_handler(std::shared_ptr<T> handler, std::string resource_kind, const char* what) {
    const Result<void> good = handler == nullptr ? wrong(std::string(what) + " cannot be nil") : handler->check();
    const MutexLock lock(mutex_);
    if (!good) {
      errors_.push_back(good.error());
    } else if (const auto kind = kind_of(std::move(resource_kind))) {
      if (auto unused = check_finalizer_is_unused(*kind, finalizer_of(*handler)); !unused) {
        errors_.push_back(std::move(unused.error()));
      } else {
        kind->handlers.add(std::move(handler));
      }
    }
  }

  template <class T>
  void remove(const std::shared_ptr<T>& handler, std::string_view resource_kind, bool all_of_them) {
    const MutexLock lock(mutex_);
    const auto kind = kinds_.find(resource_kind);
    if (kind == kinds_.end()) return;
    for (const HandlerId id : kind->second->handlers.remove(handler, all_of_them)) {
      for (const auto& delivery : deliveries_) {
        if (delivery->kind() == kind->second) delivery->forget(id);
      }
    }
  }

  [[nodiscard]] std::vector<Error> validate() const {
    const MutexLock lock(mutex_);
    return errors_;
  }

  [[nodiscard]] std::size_t waiting() const {
    const MutexLock lock(mutex_);
    std::size_t sum = 0;
    for (const auto& delivery : deliveries_) sum += delivery->pending_events().size();
    return sum;
  }

  bool add_to(Manager& manager) {
    const std::vector<Error> errors = validate();
    for (const Error& error : errors) manager.add_error(error);
    const std::vector<Placed> informers = take_informers();
    std::map<std::string, int> used;
    for (const Placed& placed : informers) {
      const std::string name = to_lower_ascii(placed.kind->name);
      const int number = ++used[name];
      AnyController spec = spec_of(placed, manager.metrics());
      spec.name = number == 1 ? name : name + "-" + std::to_string(number);
      manager.add(std::move(spec));
    }
    return !informers.empty() || !errors.empty();
  }

  [[nodiscard]] Executor& executor() const noexcept { return executor_; }

 private:
  struct Placed {
    AnyInformer informer;
    std::shared_ptr<Kind> kind;
  };

  // If the name is empty, stores an error and returns null.
  std::shared_ptr<Kind> kind_of(std::string name) PINTLE_REQUIRES(mutex_) {
    if (name.empty()) {
      errors_.push_back(wrong("resourceKind cannot be empty"));
      return nullptr;
    }
    auto& kind = kinds_[name];
    if (kind == nullptr) kind = std::make_shared<Kind>(executor_, std::move(name));
    return kind;
  }

  std::vector<Placed> take_informers() {
    const MutexLock lock(mutex_);
    return std::exchange(informers_, {});
  }

  AnyController spec_of(const Placed& placed, MetricsRegistry& metrics) {
    const auto* watched = std::get_if<KubernetesBasedInformer>(&placed.informer);
    const Duration resync = watched == nullptr ? Duration::zero() : watched->options.resync;
    auto delivery = std::make_shared<EventDelivery>(executor_, metrics, config_, placed.kind, resync);
    {
      const MutexLock lock(mutex_);
      deliveries_.push_back(delivery);
    }
    return watched == nullptr ? spec_of(std::get<std::shared_ptr<Informer>>(placed.informer), std::move(delivery))
                              : spec_of(*watched, std::move(delivery));
  }

  // The EventDelivery determines the time of the next reconcile, so the controller has no back-off.
  static constexpr Backoff no_backoff{.base = Duration::zero(), .cap = Duration::zero()};

  static AnyController spec_of(const KubernetesBasedInformer& informer, std::shared_ptr<EventDelivery> delivery) {
    const KubernetesInformerOptions& options = informer.options;
    return {.watch = informer.schema,
            .cluster = options.cluster,
            .namespaces = options.namespaces,
            .label_selector = combined(options.label_filters),
            .field_selector = combined(options.field_selectors),
            .owns = options.owns,
            .reconcile = [delivery](const Object& object,
                                    Context& context) { return delivery->reconcile(object, context); },
            .gone = [delivery](const Object& last, Context& context) { return delivery->gone(last, context); },
            .on_change = [delivery](const Change& change) { delivery->observe(change); },
            .workers = options.workers,
            .backoff = no_backoff,
            .timeout = options.timeout,
            .resync_period = options.resync,
            .pause_annotation = options.pause_annotation,
            .rbac_rules = options.rbac_rules,
            .crd = informer.crd,
            .conversion = informer.conversion};
  }

  static AnyController spec_of(const std::shared_ptr<Informer>& informer, std::shared_ptr<EventDelivery> delivery) {
    auto channel = std::make_shared<ChannelSource>(delivery->executor(), max_waiting);
    informer->add_event_handler(std::make_shared<InformerHandler>(delivery, channel));
    const auto has_ended = std::make_shared<bool>(false);  // used only on the thread of the poll
    const auto run = [informer, has_ended](const std::stop_token& stop) -> Result<std::vector<ObjectKey>> {
      if (*has_ended) return {};
      if (auto ended = informer->run(stop); !ended) return fail(std::move(ended.error()));
      *has_ended = true;
      return {};
    };
    return {.watch = informer->schema(),
            .get_object = [delivery](const ObjectKey& key) { return delivery->pending_events().newest(key); },
            .channels = {std::move(channel)},
            .polls = {{.name = "informer", .poll = run}},
            .reconcile = [delivery](const Object& object,
                                    Context& context) { return delivery->carry_all(object, context); },
            .workers = KubernetesInformerOptions().workers,
            .backoff = no_backoff};
  }

  Executor& executor_;
  const InformerControllerOptions config_;
  mutable Mutex mutex_;
  std::map<std::string, std::shared_ptr<Kind>, std::less<>> kinds_ PINTLE_GUARDED_BY(mutex_);
  std::vector<Placed> informers_ PINTLE_GUARDED_BY(mutex_);
  std::vector<std::shared_ptr<EventDelivery>> deliveries_ PINTLE_GUARDED_BY(mutex_);
  std::vector<Error> errors_ PINTLE_GUARDED_BY(mutex_);
};

InformerController::InformerController(Executor& executor, InformerControllerOptions config)
    : state_(std::make_shared<State>(executor, std::move(config))) {}
InformerController::~InformerController() = default;

void InformerController::add_informer(KubernetesBasedInformer informer, std::string resource_kind) {
  state_->add_informer(std::move(informer), std::move(resource_kind));
}
void InformerController::add_informer(std::shared_ptr<Informer> informer, std::string resource_kind) {
  state_->add_informer(std::move(informer), std::move(resource_kind));
}
void InformerController::add_watcher(std::shared_ptr<ResourceWatcher> watcher, std::string resource_kind) {
  state_->add_handler(std::move(watcher), std::move(resource_kind), "watcher");
}
void InformerController::add_reconciler(std::shared_ptr<Reconciler> reconciler, std::string resource_kind) {
  state_->add_handler(std::move(reconciler), std::move(resource_kind), "reconciler");
}
void InformerController::remove_watcher(const std::shared_ptr<ResourceWatcher>& watcher,
                                        std::string_view resource_kind) {
  state_->remove(watcher, resource_kind, false);
}
void InformerController::remove_reconciler(const std::shared_ptr<Reconciler>& reconciler,
                                           std::string_view resource_kind) {
  state_->remove(reconciler, resource_kind, false);
}
void InformerController::remove_all_watchers_for_resource(std::string_view resource_kind) {
  state_->remove(std::shared_ptr<ResourceWatcher>(), resource_kind, true);
}
void InformerController::remove_all_reconcilers_for_resource(std::string_view resource_kind) {
  state_->remove(std::shared_ptr<Reconciler>(), resource_kind, true);
}

std::vector<Error> InformerController::validate() const { return state_->validate(); }
std::size_t InformerController::waiting() const { return state_->waiting(); }
bool InformerController::add_to(Manager& manager) { return state_->add_to(manager); }

Result<void> InformerController::run(const std::stop_token& stop) {
  state_->executor().sleep_until(Instant::max(), stop);
  return {};
}

}  // namespace pintle::watcher
