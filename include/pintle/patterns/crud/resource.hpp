// SPDX-License-Identifier: Apache-2.0
// Resource: one part of an operator, which creates something for an object and deletes it when the object is deleted.
#pragma once

#include <functional>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <pintle/base/annotations.hpp>
#include <pintle/base/log.hpp>
#include <pintle/base/required.hpp>
#include <pintle/controller/controller.hpp>

namespace pintle::crud {

/// Identifies a call, for hooks, metrics and logs. `name` is "EnsureCreated" or "EnsureDeleted" for a PlainResource.
/// For a CrudResource it is a step: "GetCurrentState", "GetDesiredState", "NewUpdatePatch", "NewDeletePatch",
/// "ApplyCreatePatch", "ApplyDeletePatch" or "ApplyUpdatePatch".
struct Operation {
  std::string_view resource{};
  std::string_view name{};
};

using Call = std::function<Result<void>()>;
/// A hook: calls an operation once, again after a failure, or not at all. Its return value is the result of the
/// operation.
using Around = std::function<Result<void>(const Operation&, const Call&, Context&)>;

using EnsureFunc = std::function<Result<void>(const Object&, Context&)>;

/// The log of the reconcile, with the running resource and operation in the fields `resource` and `function`.
[[nodiscard]] PINTLE_EXPORT Log log(Context& context);

/// A value type; copies share parts that never change. Thread-safe if its functions are.
class PINTLE_EXPORT Resource {
 public:
  enum class Goal { created, deleted };

  /// Calls an operation through the hooks around it.
  class Caller {
   public:
    Caller(const Resource& resource, Context& context) : resource_(resource), context_(context) {}
    Result<void> operator()(std::string_view operation, const Call& call) const;

   private:
    const Resource& resource_;
    Context& context_;
  };

  /// The operations of a resource and their order.
  class Body {
   public:
    virtual ~Body() = default;
    [[nodiscard]] virtual std::vector<std::string_view> operations() const = 0;
    virtual Result<void> ensure(Goal goal, const Object& object, Context& context, const Caller& caller) const = 0;
  };

  static constexpr std::size_t max_hooks = 1000;

  /// `errors`: validation errors of the declaration.
  Resource(std::string name, std::shared_ptr<const Body> body, std::vector<Error> errors = {})
      : name_(std::move(name)), body_(std::move(body)), errors_(std::move(errors)), own_errors_(errors_.size()) {}

  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  /// ensure_created() creates or updates everything that this resource manages for the object; ensure_deleted() deletes
  /// it. Both functions are called repeatedly for the same object and must be idempotent. If validate() is not empty,
  /// every call fails with its first error.
  Result<void> ensure_created(const Object& object, Context& context) const;
  Result<void> ensure_deleted(const Object& object, Context& context) const;

  /// Returns a copy with `hook` around each operation, outside of the hooks that it has already. This resource does not
  /// change.
  [[nodiscard]] Resource around(Around hook) const;
  /// Returns a copy without hooks.
  [[nodiscard]] Resource underlying() const;
  /// Returns a copy with one more validation error.
  [[nodiscard]] Resource with_error(Error error) const;

  [[nodiscard]] std::vector<std::string_view> operations() const { return body_->operations(); }
  /// Validation errors: is_invalid_config, or is_loop_detected if the resource was wrapped more than max_hooks times.
  [[nodiscard]] const std::vector<Error>& validate() const noexcept { return errors_; }

 private:
  Result<void> ensure(Goal goal, const Object& object, Context& context) const;
  Result<void> call(const Operation& operation, const Call& call, Context& context, std::size_t outer) const;

  std::string name_;
  std::shared_ptr<const Body> body_;
  std::vector<Around> hooks_;  // outermost first
  std::vector<Error> errors_;
  std::size_t own_errors_;  // how many of errors_ the constructor received; wrapping added the others
};

/// Wraps each resource in `hook`, as Resource::around() does.
[[nodiscard]] PINTLE_EXPORT std::vector<Resource> wrap(const std::vector<Resource>& resources, const Around& hook);

/// The object of a reconcile as a described struct; it is decoded only once in each reconcile. Error: terminal, if it
/// does not decode.
template <Described T>
[[nodiscard]] Result<std::shared_ptr<const T>> decoded(const Object& object, Context& context) {
  struct Decoded {
    Object object{};
    std::shared_ptr<const T> value{};
  };
  Decoded& decoded = context.slot<Decoded>();
  if (decoded.value == nullptr || !decoded.object.is_same_document(object)) {
    auto value = decode<T>(object);
    if (!value) return fail(std::move(value.error()).terminal());
    decoded = {object, std::make_shared<const T>(std::move(*value))};
  }
  return decoded.value;
}

/// Converts a function of T to a function of Object, which decodes the object first. Returns an empty function for an
/// empty one.
template <Watchable T>
[[nodiscard]] EnsureFunc erase_type(std::function<Result<void>(const T&, Context&)> function) {
  if constexpr (std::same_as<T, Object>) {
    return function;
  } else {
    if (!function) return {};
    return [function = std::move(function)](const Object& object, Context& context) -> Result<void> {
      const auto typed = decoded<T>(object, context);
      if (!typed) return fail(typed.error());
      return function(**typed, context);
    };
  }
}

/// One function of a resource, for validate_resource().
struct ResourcePart {
  std::string_view name{};
  bool is_given = false;
};
/// Validation errors of a resource: an empty name, and one error for each part without a function.
[[nodiscard]] PINTLE_EXPORT std::vector<Error> validate_resource(const std::string& name,
                                                                 std::initializer_list<ResourcePart> parts);

[[nodiscard]] PINTLE_EXPORT Resource make_plain_resource(std::string name, EnsureFunc created, EnsureFunc deleted);

/// A resource made of two functions. `ensure_created` is called after the object was created or changed.
/// `ensure_deleted` is called while the object is being deleted; with FrameworkOptions::finalizer, the object stays
/// until it has succeeded. Unless this process has completed the deletion in that way, it is also called after the
/// object is gone, with the last known state.
template <Watchable T>
struct PlainResource {
  Required<std::string> name;
  Required<std::function<Result<void>(const T&, Context&)>> ensure_created;
  Required<std::function<Result<void>(const T&, Context&)>> ensure_deleted;

  operator Resource() const {  // NOLINT(google-explicit-constructor)
    return make_plain_resource(name.value(), erase_type<T>(ensure_created.value()),
                               erase_type<T>(ensure_deleted.value()));
  }
};

}  // namespace pintle::crud
