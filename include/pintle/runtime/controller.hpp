// Controller: a kind to watch and what to do for each object of it.
#pragma once

#include <concepts>
#include <functional>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <pintle/base/backoff.hpp>
#include <pintle/object/crd.hpp>
#include <pintle/runtime/context.hpp>
#include <pintle/runtime/outcome.hpp>

namespace pintle {

// A value that has to be given: without one the initialisation does not compile.
template <class T>
class Required {
 public:
  template <class U>
    requires std::constructible_from<T, U> && (!std::same_as<std::remove_cvref_t<U>, Required>)
  Required(U&& value) : value_(std::forward<U>(value)) {}  // NOLINT(google-explicit-constructor)

  [[nodiscard]] const T& value() const noexcept { return value_; }

 private:
  T value_;
};

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

// Options; declared in the order in which they are given. `reconcile` is called on a worker with a snapshot that is
// there at that moment, never twice at once for one object; it may block, and may throw (which counts as a failure). It
// is not called for an object that is gone: what it owned is collected by the cluster.
template <Watchable T>
struct Controller {
  std::string name{};  // default: the kind in lower case; unique in its manager
  WatchedKind<T> watch{};
  std::string namespace_{};  // only this one; default: that of the manager
  std::string label_selector{};
  std::string field_selector{};
  std::vector<GroupVersionKind> owns{};  // a change of an object whose controller reference names ours wakes ours
  Required<std::function<Outcome(const T&, Context&)>> reconcile;
  int workers = 1;
  Backoff backoff = controller_backoff;
};

// `watch` has to be named for plain objects, so it has no default here.
template <>
struct Controller<Object> {
  std::string name{};
  WatchedKind<Object> watch;
  std::string namespace_{};
  std::string label_selector{};
  std::string field_selector{};
  std::vector<GroupVersionKind> owns{};
  Required<std::function<Outcome(const Object&, Context&)>> reconcile;
  int workers = 1;
  Backoff backoff = controller_backoff;
};

// A controller with its type erased; what the manager runs.
struct ControllerSpec {
  std::string name{};
  GroupVersionKind kind{};
  std::string namespace_{};
  std::string label_selector{};
  std::string field_selector{};
  std::vector<GroupVersionKind> owns{};
  int workers = 1;
  Backoff backoff = controller_backoff;
  std::optional<json::Value> crd{};  // of a described kind that is not built in
  std::function<Outcome(const Object&, Context&)> reconcile{};
};

template <Watchable T>
[[nodiscard]] ControllerSpec erase_type(Controller<T> controller) {
  ControllerSpec spec{.name = std::move(controller.name),
                      .kind = std::move(controller.watch.kind),
                      .namespace_ = std::move(controller.namespace_),
                      .label_selector = std::move(controller.label_selector),
                      .field_selector = std::move(controller.field_selector),
                      .owns = std::move(controller.owns),
                      .workers = controller.workers,
                      .backoff = controller.backoff};
  if constexpr (std::same_as<T, Object>) {
    spec.reconcile = controller.reconcile.value();
  } else {
    if (is_custom(spec.kind)) spec.crd = crd_of<T>();
    spec.reconcile = [reconcile = controller.reconcile.value()](const Object& object, Context& context) -> Outcome {
      const auto decoded = decode<T>(object);
      // Trying again cannot help: the object has to change first, and then it is a new pass.
      if (!decoded) return failed(decoded.error().terminal());
      return reconcile(*decoded, context);
    };
  }
  return spec;
}

}  // namespace pintle
