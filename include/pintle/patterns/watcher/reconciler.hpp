// SPDX-License-Identifier: Apache-2.0
// Reconciler: one function for all events of an object, with a state that is passed from call to call.
#pragma once

#include <any>
#include <concepts>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include <pintle/base/annotations.hpp>
#include <pintle/controller/context.hpp>
#include <pintle/controller/outcome.hpp>
#include <pintle/object/codec.hpp>
#include <pintle/patterns/watcher/action.hpp>

namespace pintle::watcher {

/// Values that a reconciler keeps for its next call for the same object. They are copied, so keep them small.
using State = std::map<std::string, std::any>;

struct ReconcileRequest {
  ReconcileAction action = ReconcileAction::unknown;
  Object object{};  ///< at the time of the event
  /// The state that the last call for this object returned, if that call failed or requested another call. It is also
  /// passed with a newer event while metadata.generation is the same. Empty otherwise.
  State state{};
};

/// The result of a call. Converts from everything that converts to an Outcome, as in `return ctx.apply(…)`; the members
/// can also be set directly. An empty result is a success.
struct PINTLE_EXPORT ReconcileResult {
  ReconcileResult() = default;
  template <class T>
    requires std::convertible_to<T&&, Outcome>
  ReconcileResult(T&& outcome) : ReconcileResult(Outcome(std::forward<T>(outcome)), 0) {}  // NOLINT

  /// Call the reconciler again after this delay with the same request and the state. Zero means immediately, but if the
  /// reconciler requests zero repeatedly, the delay is 10 ms. Takes precedence over an error.
  std::optional<Duration> requeue_after{};
  std::optional<State> state{};  ///< empty: the state stays as it is
  std::optional<Error> error{};

 private:
  ReconcileResult(const Outcome& outcome, int);
};

/// A handler; it is called like a ResourceWatcher.
class PINTLE_EXPORT Reconciler {
 public:
  virtual ~Reconciler() = default;
  virtual ReconcileResult reconcile(const ReconcileRequest& request, Context& context) = 0;

  /// Validation errors of this handler; called when it is added to a controller.
  [[nodiscard]] virtual Result<void> check() const { return {}; }
};

/// A reconciler made of a function. An empty function succeeds.
class PINTLE_EXPORT SimpleReconciler final : public Reconciler {
 public:
  using Function = std::function<ReconcileResult(const ReconcileRequest& request, Context& context)>;
  explicit SimpleReconciler(Function function) : function_(std::move(function)) {}

  ReconcileResult reconcile(const ReconcileRequest& request, Context& context) override;

 private:
  const Function function_;
};

/// An object that is not of the kind of a TypedReconciler.
struct PINTLE_EXPORT CannotCastError {
  std::string namespace_{};
  std::string name{};
  std::string group{};
  std::string kind{};

  explicit CannotCastError(const Object& object);
  /// Returns "cannot cast <group>:<kind> (<namespace>/<name>) into type".
  [[nodiscard]] std::string message() const;
  /// Code `invalid`, reason "CannotCast"; terminal, because a retry cannot succeed.
  [[nodiscard]] Error to_error() const;
};

template <Described T>
struct TypedReconcileRequest {
  ReconcileAction action = ReconcileAction::unknown;
  T object{};
  State state{};
};

/// A reconciler for a described struct. An object of another group or kind fails with a CannotCastError. An object that
/// does not decode fails with an error that names the place. An empty function succeeds for every object.
template <Described T>
class TypedReconciler final : public Reconciler {
 public:
  using Function = std::function<ReconcileResult(const TypedReconcileRequest<T>& request, Context& context)>;
  explicit TypedReconciler(Function function) : function_(std::move(function)) {}

  ReconcileResult reconcile(const ReconcileRequest& request, Context& context) override {
    if (!function_) return {};
    const GroupVersionKind wanted = T::type;
    const GroupVersionKind kind = request.object.group_version_kind();
    if (kind.group != wanted.group || kind.kind != wanted.kind) {
      return failed(CannotCastError(request.object).to_error());
    }
    auto object = decode<T>(request.object);
    if (!object) return failed(std::move(object.error()).terminal());
    return function_({request.action, std::move(*object), request.state}, context);
  }

 private:
  const Function function_;
};

}  // namespace pintle::watcher
