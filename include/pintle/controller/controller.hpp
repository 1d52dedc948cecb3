// SPDX-License-Identifier: Apache-2.0
// Controller: the declaration of a watched kind with its sources, options and reconcile function.
#pragma once

#include <concepts>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <pintle/base/annotations.hpp>
#include <pintle/base/backoff.hpp>
#include <pintle/cache/index.hpp>
#include <pintle/controller/clusters.hpp>
#include <pintle/controller/context.hpp>
#include <pintle/controller/controller_defaults.hpp>
#include <pintle/controller/finalizers.hpp>
#include <pintle/controller/leadership.hpp>
#include <pintle/controller/outcome.hpp>
#include <pintle/controller/predicate.hpp>
#include <pintle/controller/rbac_rule.hpp>
#include <pintle/controller/source.hpp>
#include <pintle/object/condition.hpp>
#include <pintle/object/conversion.hpp>
#include <pintle/object/schema/crd.hpp>
#include <pintle/object/versions.hpp>
#include <pintle/queue/queue_options.hpp>

namespace pintle {

/// The template argument of AnyController, which is a Controller without a C++ type for its objects.
struct AnyKind {};

template <class T>
concept Watchable = Described<T> || std::same_as<T, Object> || std::same_as<T, AnyKind>;

/// The kind that a controller watches. A described struct defines its kind; for plain objects the kind must be given.
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
template <>
struct WatchedKind<AnyKind> : WatchedKind<Object> {
  using WatchedKind<Object>::WatchedKind;
  WatchedKind() : WatchedKind<Object>(GroupVersionKind()) {}
};

/// The start or the end of a reconcile, for ManagerOptions::on_reconcile. Valid during the call.
struct ReconcileReport {
  std::string_view controller{};
  std::string_view cluster{};  ///< of the object
  const GroupVersionKind& kind;
  const ObjectKey& key;
  const Outcome* outcome = nullptr;  ///< null at the start
};

/// Returns the namespace of a key, for QueueOptions::tenant.
[[nodiscard]] inline std::string tenant_by_namespace(const ObjectKey& key) { return key.namespace_; }

/// If a user adds this annotation to an object or changes its value, the object is reconciled immediately, regardless
/// of the predicate. Example: kubectl annotate --overwrite greeting a pintle.dev/reconcile-at="$(date)".
inline constexpr std::string_view reconcile_annotation = "pintle.dev/reconcile-at";

namespace internal {

/// The object that the functions of a controller receive.
template <Watchable T>
using ReconciledObject = std::conditional_t<std::same_as<T, AnyKind>, Object, T>;

template <Watchable T, class... More>
using ObjectFunction = std::function<Outcome(const ReconciledObject<T>&, Context&, More...)>;

/// The default value of Controller::reconcile. Only AnyController has a default; any other controller must set the
/// member.
template <Watchable T>
ObjectFunction<T> no_reconcile() {
  static_assert(std::same_as<T, AnyKind>, "Controller: .reconcile is missing; set it to the reconcile function");
  return {};
}

/// The default value of Controller::watch. A controller of plain objects (T = Object) has no default and must set the
/// member.
template <Watchable T>
WatchedKind<T> default_watch() {
  static_assert(std::default_initializable<WatchedKind<T>>, "Controller: .watch is missing; set it to the kind");
  return {};
}

/// The default value of a member. If the initializer were `{}`, GCC 12 would report the member as uninitialized in the
/// code of users (-O3 -Wall).
[[nodiscard]] inline QueueOptions<ObjectKey> default_queue_options() noexcept { return {}; }

}  // namespace internal

/// The reason of the Event, and the type of the condition, that report an object that cannot be decoded. The condition
/// is set only if the described struct has `status.conditions`, and is removed when the object can be decoded again.
inline constexpr std::string_view invalid_object = "InvalidObject";

/// The declaration of a controller. Designated initializers must follow the order of the members.
///
/// A worker calls `reconcile` with the object as it is in the cache at that moment, never concurrently for one object.
/// The function may block. An exception counts as a failure. `reconcile` is not called for an object that no longer
/// exists; the garbage collector of the cluster deletes its children. Anything else that must be cleaned up is the task
/// of `finalize` or `gone`. With `finalizer`, `reconcile` is never called for an object that is being deleted. Instead,
/// `finalize` is called until it returns `done`, if the object has the finalizer or was reconciled without it
/// (FinalizerPolicy::add_after_success). Otherwise neither function is called. Without `finalizer`, `reconcile` is
/// called for an object that is being deleted, as long as finalizers of others keep it. An object that only waits for
/// the garbage collector (it is being deleted and has no finalizer other than "foregroundDeletion" and "orphan") is not
/// reconciled. There are two exceptions: an object with a grace period, such as a terminating Pod, and a Namespace with
/// a finalizer in its spec other than "kubernetes".
///
/// An object that cannot be decoded as T fails without a retry, because only a change of the object can help. The error
/// is logged and reported to the user, see invalid_object.
///
/// Own writes. An own write is a write by a reconcile of this controller, to the reconciled object or to any object
/// that the controller owns or watches. A watch event that only shows an own write is a confirmation
/// (ReconcileCause::is_own_write). These rules define its effect:
/// - It does not bring forward a key that waits for its back-off or for a requested delay, and it does not reset the
///   failures of the key. The reconcile function may therefore write each failure to the status.
/// - After a terminal failure of a key (Error::terminal), a confirmation causes no reconcile of the key if a reconcile
///   of the same key made the write.
/// - In all other cases a confirmation causes a reconcile. A sequence of reconciles whose only causes are confirmations
///   is a series: the first one runs immediately; each further one waits for the next delay of `backoff`, or of
///   controller_backoff if `backoff` has no delay. Any cause other than a confirmation or a retry ends the series. A
///   function that writes something different each time therefore does not run in a tight loop, even if it fails now
///   and then.
///
/// Every other change is foreign, including a change by another controller of the same manager or by a thread that the
/// reconcile function started. A foreign change makes the key due immediately and ends the series. It does not reset
/// the failures of the key; only a success, a requested delay or a terminal failure does. While a key fails, 20 foreign
/// changes in a row each cause an immediate reconcile, and further ones cause one reconcile every 10 s. Two controllers
/// that both write their failures to one object therefore do not run in a tight loop.
///
/// If another client overwrites a field that the controller writes (or deletes an object that it creates) again and
/// again, each of the two writes succeeds and makes the other client write again. For each field, 20 corrections are
/// immediate, and one more for each further 30 s. After that, reconciles for changes of that field wait for 1 s, 2 s,
/// 4 s and so on, at most for 5 minutes, until no such correction has been made for 10 minutes. During that time, the
/// first 20 other changes of the key cause an immediate reconcile each; after that, other changes cause at most one
/// reconcile every 5 minutes. So if the other client overwrites the field at once each time, changes cause at most 100
/// reconciles in the first hour, and at most 24 in each further one. Deletions of the reconciled object, retries,
/// timers and polls are not delayed. The log, and an Event with the reason FieldDisputed, name the field and the other
/// client; pintle_taken_back_writes_total counts the corrections.
///
/// These rules decide whether an event is a confirmation:
/// - A deletion of the reconciled object is always foreign.
/// - A write is recognised by the resourceVersion in its response. If the response is lost, the write may once count as
///   foreign.
/// - The controller stores the last 16,384 such versions. If the version of a write is no longer stored when its event
///   arrives, the event counts as foreign.
/// - A change into which more than 32 writes were merged counts as one foreign change. This happens only if an object
///   is written faster than its events are handled.
/// - If a write without a precondition on the resourceVersion (a plain patch, an apply, a replacement) changes nothing,
///   its response contains a version that another client may have created. Such a write is therefore not counted as own
///   if it may have changed nothing: if the cached object already had the written content when the write was sent, or
///   if a JSON patch tests a value that the cached object did not have (the cache was outdated).
/// - The event of a write may arrive before the response to the write. If a reconcile of another key sent the write,
///   the event then counts as foreign. After this has happened to a key once, a later change of the key that is not
///   recognised as own is delayed by up to 100 ms, so that the response can arrive first. The delay applies only while
///   reconciles of other keys are running.
///
/// If a predicate throws, the change counts as passed. If a map function throws, its result counts as empty. If
/// `queue.tenant` throws, the tenant is "". Each exception is logged with the key and counted
/// (pintle_function_exceptions_total).
template <Watchable T>
struct Controller {
  std::string name{};  ///< unique in the manager; default: the kind in lower case
  WatchedKind<T> watch = internal::default_watch<T>();
  /// The cluster of the watched and owned objects: the home cluster, or a name from ManagerOptions::clusters.
  std::string cluster{home_cluster};
  /// The namespaces to watch. Default: those of ManagerOptions or NamedCluster; if these name namespaces, the
  /// namespaces here must be among them. No effect on a cluster-scoped kind.
  std::vector<std::string> namespaces{};
  /// Watches the namespaces with these labels, "team in (a,b)", and follows changes of the labels. In a namespace that
  /// loses them, the objects count as removed from the cache, not as deleted. Combined with a selector of the manager,
  /// a namespace must match both. Cannot be combined with `namespaces` or OwnsOptions::active_when.
  std::string namespace_selector{};
  std::string label_selector{};
  std::string field_selector{};
  /// Returns the object of a key, or a null object if there is none. If set, the kind is not watched, and only channels
  /// and polls enqueue keys. The members that need a watch then must not be set: namespaces, selectors, `predicate`,
  /// `owns`, `watches`, `indexes`, `gone`, `on_change`, `on_watch_end` and `ignore_own_writes`. Runs on a worker.
  std::function<Object(const ObjectKey&)> get_object{};
  /// Selects the changes of the watched kind that cause a reconcile. Changes that require `finalize` or `gone` pass
  /// regardless of it: the beginning of a deletion if there is a finalizer, and the end of a deletion. A change with a
  /// deletion and a new object of the same name passes if the predicate passes one of the two.
  Predicate predicate{};
  std::vector<Owns> owns{};
  std::vector<Watches> watches{};
  /// Indexes of the kinds that the controller watches and owns, for CacheListOptions::index. Controllers whose watches
  /// of a kind have the same namespace and selectors share the cache with its indexes; only one of them may declare the
  /// index.
  std::vector<Index> indexes{};
  std::vector<std::shared_ptr<ChannelSource>> channels{};
  std::vector<Poll> polls{};
  internal::ObjectFunction<T> reconcile = internal::no_reconcile<T>();
  internal::ObjectFunction<T> finalize{};  ///< requires `finalizer`
  /// Called with the last cached state of an object that no longer exists, even if the watch missed the deletion. It is
  /// called again until it returns `done` or a terminal failure, and always before a new object of the same name is
  /// reconciled. Unlike a finalizer it does not delay the deletion, and work that is not done when the process ends is
  /// never done. If the controller has a selector, or if its kind has a transform (CacheProjection::transform), an
  /// object may also leave the cache without being deleted. The server is therefore read first, and the function is
  /// called only if the object does not exist; a failed read is retried with back-off.
  internal::ObjectFunction<T> gone{};
  /// Called with each change of the watched kind, before the predicate. Runs on the thread of the dispatcher and must
  /// not block. Exceptions are logged.
  std::function<void(const Change&)> on_change{};
  std::string finalizer{};  ///< "example.com/cleanup"
  FinalizerPolicy finalizer_policy = FinalizerPolicy::add_then_continue;
  /// Called after each attempt to add or remove the finalizer. If the write failed, the return value is the outcome of
  /// the reconcile; otherwise it is ignored.
  internal::ObjectFunction<T, FinalizerStep, const Result<void>&> on_finalizer_write{};
  std::optional<int> workers{};  ///< default: ManagerOptions::defaults, which has 1
  Backoff backoff = controller_backoff;
  QueueOptions<ObjectKey> queue = internal::default_queue_options();
  /// The limit of one reconcile; 0: none. Default: ManagerOptions::defaults, which has none. After that time, calls of
  /// the context return `cancelled`, and a reconcile that ends with this error counts as failed. If the reconcile
  /// continues to run, this is logged 10 s, 20 s, 40 s and so on after the limit. From the first of these log lines
  /// until it ends, the reconcile is counted in pintle_overdue_reconciles.
  std::optional<Duration> timeout{};
  /// The time after which each object is reconciled again, even if its last reconcile failed. A time below 10 ms counts
  /// as 10 ms; 0: there are no such reconciles. Default: all objects are reconciled again about every 10 hours, see
  /// ControllerDefaults::resync_period.
  std::optional<Duration> resync_period{};
  std::string schedule{};  ///< additional reconciles at these times, see Schedule
  /// An object that has this annotation with the value "true" is not reconciled. Its deletion continues unless
  /// pause_deletion is set.
  std::string pause_annotation{std::same_as<T, AnyKind> ? "" : "pintle.dev/paused"};
  bool pause_deletion = false;
  /// If set, a change of the object by its own reconciles causes no reconcile. This applies only to writes with a
  /// precondition on the resourceVersion (status, finalizers, Client::update), because only those are certain to be
  /// own; an apply or a plain merge patch still causes a reconcile. A change by another controller of the manager or by
  /// a reconcile of another object, and the creation of the object, are foreign.
  bool ignore_own_writes = false;
  /// Permissions for requests through Context::client(), and for kinds that the controller neither watches nor owns.
  /// They are included in the output of --print-rbac.
  std::vector<RbacRule> rbac_rules{};
  /// Validation errors of this declaration; returned by Manager::start().
  std::vector<Error> errors{};
  /// The CRD that the manager installs. Default: derived from T, if T is a described struct of a custom kind.
  std::optional<json::Value> crd{};
  /// Called each time a watch of the kind ends, with null if there was no error. Runs on the I/O thread and must not
  /// block. Exceptions are logged and counted (pintle_function_exceptions_total).
  std::function<void(const Error*)> on_watch_end{};
  /// With leader election, whether only the leader runs this controller. A kind that is watched by controllers
  /// with and without this requirement is cached twice.
  Leadership leadership = Leadership::lease;
  /// The time zone of `schedule`, for example "Europe/Berlin"; see Schedule. Default: UTC.
  std::string time_zone{};
  /// The conversion between the versions of the kind, which the manager serves as a webhook unless the CRD is foreign.
  /// Default: that of T, if T has `using versions` with conversions.
  std::optional<AnyConversion> conversion{};
  /// If not empty, the controller relies on the lease: with leader election and Leadership::every_instance,
  /// Manager::start() returns an error with this text, which names the reason and the remedy. Set by patterns.
  std::string requires_lease{};
};

/// A controller whose functions receive an Object, which is not decoded. The manager converts every controller to this
/// type, and patterns create controllers of this type. The compiler accepts a declaration without the required members;
/// validate() returns an error for each that is missing. `pause_annotation` has no default.
using AnyController = Controller<AnyKind>;

/// Returns all errors of the declaration, including Controller::errors. Each names the controller and the remedy.
[[nodiscard]] PINTLE_EXPORT std::vector<Error> validate(const AnyController& controller);

namespace internal {

/// Whether the status of a described struct has the conditions of metav1.
template <class T>
inline constexpr bool has_conditions = false;
template <class T>
  requires requires(T object) { object.status.conditions; }
inline constexpr bool has_conditions<T> =
    std::same_as<decltype(decltype(T::status)::conditions), std::vector<StatusCondition>>;

/// Reports that an object cannot be decoded, see invalid_object, or removes this report if `error` is null.
PINTLE_EXPORT void report_decoding(Context& context, const Object& object, const Error* error, bool has_conditions);

/// Converts one member of a controller for erase_type(). A member that is a function becomes a function that decodes
/// the object and passes it on. If the object cannot be decoded, the outcome is a terminal failure: a retry cannot
/// succeed before the object changes, and that change causes a new reconcile.
template <Described T, class... More>
[[nodiscard]] ObjectFunction<AnyKind, More...> erased(std::function<Outcome(const T&, Context&, More...)>& function) {
  if (!function) return {};
  return [function = std::move(function)](const Object& object, Context& context, More... more) -> Outcome {
    const auto decoded = decode<T>(object);
    report_decoding(context, object, decoded ? nullptr : &decoded.error(), has_conditions<T>);
    if (!decoded) return failed(decoded.error().terminal());
    return function(*decoded, context, more...);
  };
}
template <class T>
[[nodiscard]] WatchedKind<AnyKind> erased(WatchedKind<T>& watch) {
  return std::move(watch.kind);
}
template <class Member>
[[nodiscard]] Member erased(Member& member) {
  return std::move(member);
}

}  // namespace internal

/// Returns the same controller for objects that are not decoded yet.
template <Watchable T>
[[nodiscard]] AnyController erase_type(Controller<T> controller) {
  // One name for each member of Controller, in their order; a missing one does not compile.
  auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z, aa, bb, cc, dd, ee, ff, gg, hh,
         ii, jj, kk, ll] = controller;
  const auto all = [](auto&... members) { return AnyController{internal::erased(members)...}; };
  AnyController any = all(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z, aa, bb, cc, dd,
                          ee, ff, gg, hh, ii, jj, kk, ll);
  if constexpr (Described<T>) {
    if (!any.crd && is_custom_kind(any.watch.kind)) any.crd = crd_of<T>();
    if (!any.conversion) any.conversion = conversion_of<T>();
  }
  return any;
}

}  // namespace pintle
