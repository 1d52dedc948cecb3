// Resource: one building block of an operator, something that has to be there for an object, and gone after it.
#pragma once

#include <functional>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <pintle/base/log.hpp>
#include <pintle/base/required.hpp>
#include <pintle/controller/controller.hpp>

namespace pintle::crud {

// What hooks, metrics and logs are told of a call: "EnsureCreated" or "EnsureDeleted" of a plain resource, of a
// CrudResource one of its steps: "GetCurrentState", "GetDesiredState", "NewUpdatePatch", "NewDeletePatch",
// "ApplyCreatePatch", "ApplyDeletePatch", "ApplyUpdatePatch".
struct Operation {
  std::string_view resource{};
  std::string_view name{};
};

using Call = std::function<Result<void>()>;
// Runs an operation: once, or again after a failure, or not at all. What it answers is what the operation came to.
using Around = std::function<Result<void>(const Operation&, const Call&, Context&)>;

using EnsureFunc = std::function<Result<void>(const Object&, Context&)>;

// The log of the pass, with the resource and the function that are at work.
[[nodiscard]] Log log(Context& context);

// A plain value; what it is made from is shared and never changes. Thread-safe, if its functions are.
class Resource {
 public:
  enum class Goal { created, deleted };

  // Calls an operation through the hooks around it.
  class Caller {
   public:
    Caller(const Resource& resource, Context& context) : resource_(resource), context_(context) {}
    Result<void> operator()(std::string_view operation, const Call& call) const;

   private:
    const Resource& resource_;
    Context& context_;
  };

  // What its operations are, and their order.
  class Body {
   public:
    virtual ~Body() = default;
    [[nodiscard]] virtual std::vector<std::string_view> operations() const = 0;
    virtual Result<void> ensure(Goal goal, const Object& object, Context& context, const Caller& caller) const = 0;
  };

  static constexpr std::size_t most_hooks = 1000;

  // `faults`: what is wrong with it.
  Resource(std::string name, std::shared_ptr<const Body> body, std::vector<Error> faults = {})
      : name_(std::move(name)), body_(std::move(body)), faults_(std::move(faults)), own_faults_(faults_.size()) {}

  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  // Has what belongs to the object be there, or be gone; again for the same object, so each has to be idempotent. What
  // is wrong with the resource fails it for good.
  Result<void> ensure_created(const Object& object, Context& context) const;
  Result<void> ensure_deleted(const Object& object, Context& context) const;

  // The same with a hook around each of its operations, outside of those it has; this one stays as it is.
  [[nodiscard]] Resource around(Around hook) const;
  // The same with no hooks at all.
  [[nodiscard]] Resource underlying() const;
  // The same with one more thing that is wrong with it.
  [[nodiscard]] Resource with_fault(Error fault) const;

  [[nodiscard]] std::vector<std::string_view> operations() const { return body_->operations(); }
  // What is wrong with it (is_invalid_config), or how often it was wrapped: more than most_hooks (is_loop_detected).
  [[nodiscard]] const std::vector<Error>& errors() const noexcept { return faults_; }

 private:
  Result<void> ensure(Goal goal, const Object& object, Context& context) const;
  Result<void> call(const Operation& operation, const Call& call, Context& context, std::size_t outer) const;

  std::string name_;
  std::shared_ptr<const Body> body_;
  std::vector<Around> hooks_;  // the outermost first
  std::vector<Error> faults_;
  std::size_t own_faults_;  // of them; the others came by wrapping
};

// Every one of them with the hook.
[[nodiscard]] std::vector<Resource> wrap(const std::vector<Resource>& resources, const Around& hook);

// The object of a pass as a described struct, decoded once for all who ask in this pass. Error: terminal.
template <Described T>
[[nodiscard]] Result<std::shared_ptr<const T>> decoded(const Object& object, Context& context) {
  struct Kept {
    Object object{};
    std::shared_ptr<const T> value{};
  };
  Kept& kept = context.slot<Kept>();
  if (kept.value == nullptr || !kept.object.same_as(object)) {
    auto value = decode<T>(object);
    if (!value) return fail(std::move(value.error()).terminal());
    kept = {object, std::make_shared<const T>(std::move(*value))};
  }
  return kept.value;
}

// The same function of plain objects; empty for an empty one.
template <Watchable T>
[[nodiscard]] EnsureFunc of_objects(std::function<Result<void>(const T&, Context&)> function) {
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

// One of the functions a resource is made of.
struct ResourcePart {
  std::string_view name{};
  bool is_given = false;
};
// What is wrong with a resource of this name: each part that is an empty function, and the name if it is empty.
[[nodiscard]] std::vector<Error> resource_faults(const std::string& name, std::initializer_list<ResourcePart> parts);

[[nodiscard]] Resource make_plain_resource(std::string name, EnsureFunc created, EnsureFunc deleted);

// A resource of two functions. `ensure_created` is called when the object was made or changed, `ensure_deleted` while
// it is being deleted and once it is gone, with its last known state.
template <Watchable T>
struct PlainResource {
  Required<std::string> name;
  Required<std::function<Result<void>(const T&, Context&)>> ensure_created;
  Required<std::function<Result<void>(const T&, Context&)>> ensure_deleted;

  operator Resource() const {  // NOLINT(google-explicit-constructor)
    return make_plain_resource(name.value(), of_objects<T>(ensure_created.value()),
                               of_objects<T>(ensure_deleted.value()));
  }
};

}  // namespace pintle::crud
