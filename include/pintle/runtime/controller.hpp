// Controller: a kind to watch and what to do for each object of it.
#pragma once

#include <concepts>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <pintle/base/backoff.hpp>
#include <pintle/base/required.hpp>
#include <pintle/object/crd.hpp>
#include <pintle/queue/queue_state.hpp>
#include <pintle/runtime/clusters.hpp>
#include <pintle/runtime/context.hpp>
#include <pintle/runtime/finalizers.hpp>
#include <pintle/runtime/outcome.hpp>
#include <pintle/runtime/predicate.hpp>
#include <pintle/runtime/rbac_rule.hpp>
#include <pintle/runtime/source.hpp>

namespace pintle {

// The kind a controller watches: its own for a described struct, one that has to be named for plain objects.
template <class T>
struct WatchedKind {
  GroupVersionKind kind{T::type};
};
template <>
struct WatchedKind<Object> {
  WatchedKind(std::string_view api_version, std::string_view name) : kind(api_version, name) {}
  WatchedKind(Type type) : kind(type) {}                           // NOLINT(google-explicit-constructor)
  WatchedKind(GroupVersionKind named) : kind(std::move(named)) {}  // NOLINT(google-explicit-constructor)
  GroupVersionKind kind;
};

template <class T>
concept Watchable = Described<T> || std::same_as<T, Object>;

// The tenant of a key for QueueRules::tenant: its namespace.
[[nodiscard]] inline std::string by_namespace(const ObjectKey& key) { return key.namespace_; }

// A person who gives an object this annotation, or another value of it, has it looked at now, whatever the predicate:
// kubectl annotate --overwrite greeting a pintle.dev/reconcile-at="$(date)".
inline constexpr std::string_view reconcile_annotation = "pintle.dev/reconcile-at";

// QueueRules{} as a function: the initializer of a member. With `{}` in its place GCC 12 takes parts of the member for
// uninitialized (-O3 -Wall) in the user's file.
[[nodiscard]] inline QueueRules<ObjectKey> default_queue_rules() noexcept { return {}; }

// Options; declared in the order in which they are given. `reconcile` is called on a worker with a snapshot that is
// there at that moment, never twice at once for one object; it may block, and may throw (which counts as a failure). It
// is not called for an object that is gone: what it owned is collected by the cluster, and what it left elsewhere is
// for `finalize`, which is called in its place while the object is being deleted, until it settles, or for `gone`.
//
// Own writes. An own write is a write by a reconcile of this controller, to the reconciled object or to any object that
// the controller owns or watches. A watch event that only shows an own write is a confirmation. It is a cause
// (ReconcileCause::own) with these rules:
// - It does not bring forward a key that waits for its back-off or for a requested delay, and it does not reset the
//   failures of the key. The reconcile function may therefore write each failure to the status.
// - After a terminal failure (Error::terminal), the confirmation of a write by a reconcile of the same key causes no
//   reconcile.
// - Otherwise it causes a reconcile. The first reconcile of a series runs immediately; each further one waits for the
//   next delay of `backoff`, or of controller_backoff if `backoff` has no delay. Any cause other than a confirmation or
//   a retry ends the series. A function that writes something different each time therefore does not run in a tight
//   loop, even if it fails now and then.
//
// Every other change is foreign, including a change by another controller of the same manager or by a thread that the
// reconcile function started. A foreign change makes the key due immediately and ends the series. It does not reset the
// failures of the key; only a success, a requested delay or a terminal failure does. While a key fails, 20 foreign
// changes in a row each cause an immediate reconcile, and further ones cause one reconcile every 10 s. Two controllers
// that both write their failures to one object therefore do not run in a tight loop.
//
// These rules decide whether an event is a confirmation:
// - A deletion of the reconciled object is always foreign.
// - A write is recognised by the resourceVersion in its response. If the response is lost, the write may once count as
//   foreign.
// - The controller stores the last 16,384 such versions. The event of an older one counts as foreign once.
// - A change into which more than 32 writes were merged counts as one foreign change. This happens only if an object is
//   written faster than its events are handled.
// - A write without a precondition on the resourceVersion (a plain merge patch, an apply) counts as own if it would
//   have changed the cached object as it was when the write was sent.
// - The event of a write may arrive before its response, and then seems to be foreign. If this has happened to a key
//   because of a write by a reconcile of another key, later changes of the key that seem to be foreign wait up to 100
//   ms for a response while other keys are in work.
//
// If a predicate throws, the change passes it. If a map function throws, it returns no keys. If `queue.tenant` throws,
// the tenant is "". Each exception is logged with the key and counted (pintle_function_exceptions_total).
template <Watchable T>
struct Controller {
  std::string name{};  // default: the kind in lower case; unique in its manager
  WatchedKind<T> watch{};
  std::string cluster{home_cluster};  // where it watches and owns; one that ManagerOptions::clusters names
  std::string namespace_{};           // only this one; default: that of the manager, or of the cluster
  std::string label_selector{};
  std::string field_selector{};
  Predicate predicate{};  // which changes of the watched kind are worth a pass
  std::vector<Owns> owns{};
  std::vector<Watches> watches{};
  std::vector<std::shared_ptr<EventChannel>> channels{};
  std::vector<Poll> polls{};
  Required<std::function<Outcome(const T&, Context&)>> reconcile;
  std::function<Outcome(const T&, Context&)> finalize{};  // needs a finalizer
  // Called with the last known state of an object that is gone, also when the watch missed that; again until it
  // settles or fails for good, and before a pass over a new object of that name. Without a finalizer nothing waits for
  // it, and what it has not done when the process ends is not done later. Where the controller has a selector, or its
  // kind a transform, the server is asked first, since an object that only left the selector appears to be gone; while
  // the server cannot be asked it is tried again with back-off.
  std::function<Outcome(const T&, Context&)> gone{};
  // Told each change of the watched kind before the predicate is asked. Runs on the dispatcher's thread: it must not
  // wait; what it throws is logged.
  std::function<void(const Change&)> observe{};
  std::string finalizer{};  // "example.com/cleanup"
  FinalizerPolicy finalizer_policy = FinalizerPolicy::add_then_continue;
  // Told when the finalizer has been put on or taken off, and when that failed: it answers what the pass then comes to.
  std::function<Outcome(const T&, Context&, FinalizerStep, const Result<void>&)> finalizer_written{};
  int workers = 1;
  Backoff backoff = controller_backoff;
  QueueRules<ObjectKey> queue = default_queue_rules();
  // Of one pass: then its calls end with `cancelled`, and it counts as failed; 0: none. One that runs on is logged 10 s
  // later, and then at twice the time each, and counted while it runs (pintle_overdue_reconciles).
  Duration timeout{};
  // An object is looked at again after this time (10 ms at least), also while it fails; 0: not before it changes.
  Duration every{};
  std::string schedule{};  // and at these times, by the five fields of cron
  // An object with this annotation at "true" is left alone; its deletion goes on unless pause_deletion is set.
  std::string paused_by = "pintle.dev/paused";
  bool pause_deletion = false;
  // A change of the object that this operator made itself causes no pass; told apart for sure, and so only for writes
  // that were made for one version (status, finalizers, Client::update): an apply or a plain merge patch causes one.
  bool ignore_own_writes = false;
  // Rights for what it does through Context::client(), or with kinds it neither watches nor owns; for --print-rbac.
  std::vector<RbacRule> needs{};
  // What whoever made this declaration found wrong with what it was made of; start() answers it.
  std::vector<Error> faults{};
};

// `watch` has to be named for plain objects, so it has no default here.
template <>
struct Controller<Object> {
  std::string name{};
  WatchedKind<Object> watch;
  std::string cluster{home_cluster};
  std::string namespace_{};
  std::string label_selector{};
  std::string field_selector{};
  Predicate predicate{};
  std::vector<Owns> owns{};
  std::vector<Watches> watches{};
  std::vector<std::shared_ptr<EventChannel>> channels{};
  std::vector<Poll> polls{};
  Required<std::function<Outcome(const Object&, Context&)>> reconcile;
  std::function<Outcome(const Object&, Context&)> finalize{};
  std::function<Outcome(const Object&, Context&)> gone{};
  std::function<void(const Change&)> observe{};
  std::string finalizer{};
  FinalizerPolicy finalizer_policy = FinalizerPolicy::add_then_continue;
  std::function<Outcome(const Object&, Context&, FinalizerStep, const Result<void>&)> finalizer_written{};
  int workers = 1;
  Backoff backoff = controller_backoff;
  QueueRules<ObjectKey> queue = default_queue_rules();
  Duration timeout{};
  Duration every{};
  std::string schedule{};
  std::string paused_by = "pintle.dev/paused";
  bool pause_deletion = false;
  bool ignore_own_writes = false;
  std::vector<RbacRule> needs{};
  std::vector<Error> faults{};
};

// A controller with its type erased; what the manager runs.
struct ControllerSpec {
  std::string name{};
  GroupVersionKind kind{};
  std::string cluster{home_cluster};
  std::string namespace_{};
  std::string label_selector{};
  std::string field_selector{};
  // Where its objects are found, in place of a watch of the kind; then channels and polls alone wake it. Runs on a
  // worker; none: there is no such object.
  std::function<Object(const ObjectKey&)> objects{};
  Predicate predicate{};
  std::vector<Owns> owns{};
  std::vector<Watches> watches{};
  std::vector<std::shared_ptr<EventChannel>> channels{};
  std::vector<Poll> polls{};
  std::function<Outcome(const Object&, Context&)> reconcile{};
  std::function<Outcome(const Object&, Context&)> finalize{};
  std::function<Outcome(const Object&, Context&)> gone{};
  std::function<void(const Change&)> observe{};
  std::string finalizer{};
  FinalizerPolicy finalizer_policy = FinalizerPolicy::add_then_continue;
  std::function<Outcome(const Object&, Context&, FinalizerStep, const Result<void>&)> finalizer_written{};
  int workers = 1;
  Backoff backoff = controller_backoff;
  QueueRules<ObjectKey> queue = default_queue_rules();
  Duration timeout{};
  Duration every{};
  std::string schedule{};
  std::string paused_by{};
  bool pause_deletion = false;
  bool ignore_own_writes = false;
  std::vector<RbacRule> needs{};
  std::vector<Error> faults{};
  std::optional<json::Value> crd{};  // of a described kind that is not built in
  // Told each time a watch of the kind ends, with the error if it was one; on the I/O thread, so it must not wait. What
  // it throws is logged and counted (pintle_function_exceptions_total).
  std::function<void(const Error*)> watch_ended{};

  // Everything that is wrong with it, the faults too, each naming the controller and what to do.
  [[nodiscard]] std::vector<Error> errors() const;
};

// The same function of plain objects. Trying again cannot help an object that does not decode: it has to change first,
// and then it is a new pass.
template <Watchable T, class... More>
[[nodiscard]] std::function<Outcome(const Object&, Context&, More...)> decoding(
    std::function<Outcome(const T&, Context&, More...)> function) {
  if constexpr (std::same_as<T, Object>) {
    return function;
  } else {
    if (!function) return {};
    return [function = std::move(function)](const Object& object, Context& context, More... more) -> Outcome {
      const auto decoded = decode<T>(object);
      if (!decoded) return failed(decoded.error().terminal());
      return function(*decoded, context, more...);
    };
  }
}

template <Watchable T>
[[nodiscard]] ControllerSpec erase_type(Controller<T> controller) {
  ControllerSpec spec{.name = std::move(controller.name),
                      .kind = std::move(controller.watch.kind),
                      .cluster = std::move(controller.cluster),
                      .namespace_ = std::move(controller.namespace_),
                      .label_selector = std::move(controller.label_selector),
                      .field_selector = std::move(controller.field_selector),
                      .predicate = std::move(controller.predicate),
                      .owns = std::move(controller.owns),
                      .watches = std::move(controller.watches),
                      .channels = std::move(controller.channels),
                      .polls = std::move(controller.polls),
                      .reconcile = decoding<T>(controller.reconcile.value()),
                      .finalize = decoding<T>(std::move(controller.finalize)),
                      .gone = decoding<T>(std::move(controller.gone)),
                      .observe = std::move(controller.observe),
                      .finalizer = std::move(controller.finalizer),
                      .finalizer_policy = controller.finalizer_policy,
                      .finalizer_written = decoding<T>(std::move(controller.finalizer_written)),
                      .workers = controller.workers,
                      .backoff = controller.backoff,
                      .queue = std::move(controller.queue),
                      .timeout = controller.timeout,
                      .every = controller.every,
                      .schedule = std::move(controller.schedule),
                      .paused_by = std::move(controller.paused_by),
                      .pause_deletion = controller.pause_deletion,
                      .ignore_own_writes = controller.ignore_own_writes,
                      .needs = std::move(controller.needs),
                      .faults = std::move(controller.faults)};
  if constexpr (!std::same_as<T, Object>) {
    if (is_custom(spec.kind)) spec.crd = crd_of<T>();
  }
  return spec;
}

}  // namespace pintle
