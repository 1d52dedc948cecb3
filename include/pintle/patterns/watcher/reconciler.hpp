// Reconciler: one function for everything that can happen to an object, with a state that lives from call to call.
#pragma once

#include <any>
#include <concepts>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include <pintle/controller/context.hpp>
#include <pintle/controller/outcome.hpp>
#include <pintle/object/codec.hpp>
#include <pintle/patterns/watcher/action.hpp>

namespace pintle::watcher {

// What a reconciler wants to know in its next call about the same object; copied, so keep it small.
using State = std::map<std::string, std::any>;

struct ReconcileRequest {
  ReconcileAction action = ReconcileAction::unknown;
  Object object{};  // as it was when this happened
  // What the last call for this object returned, if that failed or wanted to be called again; also with a newer event,
  // while metadata.generation is the same. Empty else.
  State state{};
};

// What a call came to: made from whatever makes an Outcome, `return ctx.apply(…)`, and by hand. Success is nothing.
struct ReconcileResult {
  ReconcileResult() = default;
  template <class T>
    requires std::convertible_to<T&&, Outcome>
  ReconcileResult(T&& outcome) : ReconcileResult(Outcome(std::forward<T>(outcome)), 0) {}  // NOLINT

  // Call again after this time with the same request, and the state; zero is at once, and when it is asked for again
  // and again 10 ms later. Wins over an error.
  std::optional<Duration> requeue_after{};
  std::optional<State> state{};  // none: the state stays as it is
  std::optional<Error> error{};

 private:
  ReconcileResult(const Outcome& outcome, int);
};

// A handler; called as a ResourceWatcher is.
class Reconciler {
 public:
  virtual ~Reconciler() = default;
  virtual ReconcileResult reconcile(const ReconcileRequest& request, Context& context) = 0;

  // What is wrong with how it was made; asked when it is added to a controller.
  [[nodiscard]] virtual Result<void> check() const { return {}; }
};

// A reconciler made of a function; none is success.
class SimpleReconciler final : public Reconciler {
 public:
  using Function = std::function<ReconcileResult(const ReconcileRequest& request, Context& context)>;
  explicit SimpleReconciler(Function function) : function_(std::move(function)) {}

  ReconcileResult reconcile(const ReconcileRequest& request, Context& context) override;

 private:
  const Function function_;
};

// An object of another kind than a TypedReconciler is for.
struct CannotCastError {
  std::string namespace_{};
  std::string name{};
  std::string group{};
  std::string kind{};

  explicit CannotCastError(const Object& object);
  // "cannot cast <group>:<kind> (<namespace>/<name>) into type".
  [[nodiscard]] std::string message() const;
  // Code invalid, reason "CannotCast"; no retry mends it.
  [[nodiscard]] Error to_error() const;
};

template <Described T>
struct TypedReconcileRequest {
  ReconcileAction action = ReconcileAction::unknown;
  T object{};
  State state{};
};

// A reconciler of described structs. An object of another group or kind fails as a CannotCastError, one that does not
// decode with the place; without a function every object is success.
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
