// SPDX-License-Identifier: Apache-2.0
// CrudResource: a resource that compares the current state with the desired state and applies the difference.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include <pintle/base/annotations.hpp>
#include <pintle/patterns/crud/patch.hpp>
#include <pintle/patterns/crud/resource.hpp>

namespace pintle::crud {

/// The six steps of one reconcile of a CrudResource, with its types erased. The third step is new_update_patch() or
/// new_delete_patch().
class PINTLE_EXPORT CrudSteps {
 public:
  virtual ~CrudSteps() = default;
  virtual Result<void> get_current_state() = 0;
  virtual Result<void> get_desired_state() = 0;
  virtual Result<void> new_update_patch() = 0;
  virtual Result<void> new_delete_patch() = 0;
  virtual Result<void> apply_create_change() = 0;
  virtual Result<void> apply_delete_change() = 0;
  virtual Result<void> apply_update_change() = 0;
  [[nodiscard]] virtual bool has_create_change() const = 0;
  [[nodiscard]] virtual bool has_delete_change() const = 0;
  [[nodiscard]] virtual bool has_update_change() const = 0;
};

/// Runs the steps in order. Returns the first error; returns success without the remaining steps if a flag of the
/// reconcile (ReconcileFlags) cancels them.
PINTLE_EXPORT Result<void> run_steps(CrudSteps& steps, Resource::Goal goal, Context& context,
                                     const Resource::Caller& caller);
[[nodiscard]] PINTLE_EXPORT std::vector<std::string_view> crud_operations();

/// Options of a CrudResource. Each reconcile has these steps:
/// - Read the current state.
/// - Compute the desired state, from the object alone if possible.
/// - Compute a patch that leads from the current to the desired state: new_delete_patch() if the object is being
///   deleted or is gone, otherwise new_update_patch().
/// - Apply the parts of the patch that are set: create, then delete, then update.
///
/// An error ends the reconcile, and the next reconcile begins with the first step, so all functions must be idempotent.
/// A state can be empty, as with State = std::optional<ConfigMap>; an empty state is passed on like any other state.
template <Watchable T, class State, class Change = State>
struct CrudResource {
  Required<std::string> name;
  Required<std::function<Result<State>(const T&, Context&)>> get_current_state;
  Required<std::function<Result<State>(const T&, Context&)>> get_desired_state;
  Required<std::function<Result<Patch<Change>>(const T&, const State& current, const State& desired, Context&)>>
      new_update_patch;
  Required<std::function<Result<Patch<Change>>(const T&, const State& current, const State& desired, Context&)>>
      new_delete_patch;
  Required<std::function<Result<void>(const T&, const Change&, Context&)>> apply_create_change;
  Required<std::function<Result<void>(const T&, const Change&, Context&)>> apply_delete_change;
  Required<std::function<Result<void>(const T&, const Change&, Context&)>> apply_update_change;

  operator Resource() const;  // NOLINT(google-explicit-constructor)
};

// ---- implementation ----

template <Watchable T, class State, class Change>
class CrudBody final : public Resource::Body {
 public:
  using Ops = CrudResource<T, State, Change>;
  explicit CrudBody(Ops ops) : ops_(std::move(ops)) {}

  [[nodiscard]] std::vector<std::string_view> operations() const override { return crud_operations(); }
  Result<void> ensure(Resource::Goal goal, const Object& object, Context& context,
                      const Resource::Caller& caller) const override {
    if constexpr (std::same_as<T, Object>) {
      Steps steps(ops_, object, context);
      return run_steps(steps, goal, context, caller);
    } else {
      const auto typed = decoded<T>(object, context);
      if (!typed) return fail(typed.error());
      Steps steps(ops_, **typed, context);
      return run_steps(steps, goal, context, caller);
    }
  }

 private:
  class Steps final : public CrudSteps {
   public:
    Steps(const Ops& ops, const T& object, Context& context) : ops_(ops), object_(object), context_(context) {}

    Result<void> get_current_state() override {
      return keep(ops_.get_current_state.value()(object_, context_), current_);
    }
    Result<void> get_desired_state() override {
      return keep(ops_.get_desired_state.value()(object_, context_), desired_);
    }
    Result<void> new_update_patch() override {
      return keep(ops_.new_update_patch.value()(object_, *current_, *desired_, context_), patch_);
    }
    Result<void> new_delete_patch() override {
      return keep(ops_.new_delete_patch.value()(object_, *current_, *desired_, context_), patch_);
    }
    Result<void> apply_create_change() override {
      return ops_.apply_create_change.value()(object_, *patch_->create_change, context_);
    }
    Result<void> apply_delete_change() override {
      return ops_.apply_delete_change.value()(object_, *patch_->delete_change, context_);
    }
    Result<void> apply_update_change() override {
      return ops_.apply_update_change.value()(object_, *patch_->update_change, context_);
    }
    [[nodiscard]] bool has_create_change() const override { return patch_->create_change.has_value(); }
    [[nodiscard]] bool has_delete_change() const override { return patch_->delete_change.has_value(); }
    [[nodiscard]] bool has_update_change() const override { return patch_->update_change.has_value(); }

   private:
    template <class Value>
    static Result<void> keep(Result<Value> made, std::optional<Value>& place) {
      if (!made) return fail(std::move(made.error()));
      place.emplace(std::move(*made));
      return {};
    }

    const Ops& ops_;
    const T& object_;
    Context& context_;
    std::optional<State> current_;
    std::optional<State> desired_;
    std::optional<Patch<Change>> patch_;
  };

  const Ops ops_;
};

template <Watchable T, class State, class Change>
CrudResource<T, State, Change>::operator Resource() const {
  return {name.value(), std::make_shared<CrudBody<T, State, Change>>(*this),
          validate_resource(name.value(), {{"get_current_state", static_cast<bool>(get_current_state.value())},
                                           {"get_desired_state", static_cast<bool>(get_desired_state.value())},
                                           {"new_update_patch", static_cast<bool>(new_update_patch.value())},
                                           {"new_delete_patch", static_cast<bool>(new_delete_patch.value())},
                                           {"apply_create_change", static_cast<bool>(apply_create_change.value())},
                                           {"apply_delete_change", static_cast<bool>(apply_delete_change.value())},
                                           {"apply_update_change", static_cast<bool>(apply_update_change.value())}})};
}

}  // namespace pintle::crud
