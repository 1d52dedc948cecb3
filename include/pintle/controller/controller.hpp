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
#include <pintle/controller/clusters.hpp>
#include <pintle/controller/context.hpp>
#include <pintle/controller/finalizers.hpp>
#include <pintle/controller/outcome.hpp>
#include <pintle/controller/predicate.hpp>
#include <pintle/controller/rbac_rule.hpp>
#include <pintle/controller/source.hpp>
#include <pintle/object/crd.hpp>
#include <pintle/queue/queue_state.hpp>

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
// Own writes. The watch event of a write that a reconcile of this controller made, to the object or to any that the
// controller owns or watches, only confirms that write. It is a cause (ReconcileCause::own), and obeys these rules:
// - It does not move the time of a key that backs off or that asked for a delay, and does not reset its failures. The
//   reconcile function may therefore write a status with each failure.
// - After a failure for good (Error::terminal) the confirmation of a write for the same key causes no reconcile.
// - Otherwise it causes one: the first at once, further ones in a row after the delays of `backoff` (of
//   controller_backoff where that has none), until there is another cause than these and the retries of a failure. A
//   function that writes something else each time therefore does not spin, also if it fails now and then.
// A change by anybody else makes the key due now, keeps the number of failures, and starts the spacing over; only a
// success or a delay that is asked for resets the failures. Another controller of the same manager is somebody else,
// and so is a thread that the function starts itself. While a key fails, 20 such changes in a row run it at once, and
// further ones once in 10 s: two controllers that both write their failures to one object do not spin.
// A deletion of the object is never a confirmation. A write counts as own by the version that it was answered with, so
// one whose answer was lost may count as somebody else's once. The controller remembers the last 16,384 versions; the
// event of an older one counts as somebody else's once. A change that merges more than 32 writes also counts as one
// change by somebody else; this happens only if an object is written faster than events are handled. A write that is
// for no version alone (a plain merge patch, an apply) counts as own if it would have changed the local copy as it was
// when the write was sent. The event of a write may come before its answer: a key that was woken by one of another key
// of this controller waits up to 100 ms for the answer from then on, while another key is in work.
//
// A predicate that throws has said yes; a map that throws leads nowhere; a `queue.tenant` that throws is the tenant "".
// Each is logged with the key and counted (pintle_function_exceptions_total).
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
