// SPDX-License-Identifier: Apache-2.0
#include <pintle/patterns/crud/resource.hpp>

#include "failures.hpp"

namespace pintle::crud {
namespace {

// The operation that runs in a reconcile.
struct AtWork {
  std::string resource{};
  std::string_view operation{};
};

class PlainBody final : public Resource::Body {
 public:
  PlainBody(EnsureFunc created, EnsureFunc deleted) : created_(std::move(created)), deleted_(std::move(deleted)) {}

  [[nodiscard]] std::vector<std::string_view> operations() const override { return {created_name, deleted_name}; }
  Result<void> ensure(Resource::Goal goal, const Object& object, Context& context,
                      const Resource::Caller& caller) const override {
    const bool creates = goal == Resource::Goal::created;
    return caller(creates ? created_name : deleted_name,
                  [&] { return (creates ? created_ : deleted_)(object, context); });
  }

 private:
  static constexpr std::string_view created_name = "EnsureCreated";
  static constexpr std::string_view deleted_name = "EnsureDeleted";

  const EnsureFunc created_;
  const EnsureFunc deleted_;
};

}  // namespace

Log log(Context& context) {
  const AtWork& at_work = context.slot<AtWork>();
  return context.log().with({{"resource", at_work.resource}, {"function", at_work.operation}});
}

Result<void> Resource::Caller::operator()(std::string_view operation, const Call& call) const {
  context_.slot<AtWork>() = {resource_.name_, operation};
  return resource_.call({resource_.name_, operation}, call, context_, 0).with_operation(std::string(operation));
}

Result<void> Resource::call(const Operation& operation, const Call& call, Context& context, std::size_t outer) const {
  if (outer == hooks_.size()) return call();
  return hooks_[outer](
      operation, [&] { return this->call(operation, call, context, outer + 1); }, context);
}

Result<void> Resource::ensure_created(const Object& object, Context& context) const {
  return ensure(Goal::created, object, context);
}
Result<void> Resource::ensure_deleted(const Object& object, Context& context) const {
  return ensure(Goal::deleted, object, context);
}

Result<void> Resource::ensure(Goal goal, const Object& object, Context& context) const {
  if (!errors_.empty()) return fail(errors_.front());
  return body_->ensure(goal, object, context, Caller(*this, context)).with_operation("resource " + name_);
}

Resource Resource::with_error(Error error) const {
  Resource faulty = *this;
  faulty.errors_.push_back(std::move(error));
  return faulty;
}

Resource Resource::around(Around hook) const {
  if (!hook) return with_error(invalid_config("a hook around the resource \"" + name_ + "\" is an empty function"));
  if (hooks_.size() == max_hooks) {
    return with_error(loop_detected("the resource \"" + name_ + "\" was wrapped more than " +
                                    std::to_string(max_hooks) + " times: wrap it only where it is created"));
  }
  Resource wrapped = *this;
  wrapped.hooks_.insert(wrapped.hooks_.begin(), std::move(hook));
  return wrapped;
}

Resource Resource::underlying() const {
  return {name_, body_, {errors_.begin(), errors_.begin() + static_cast<std::ptrdiff_t>(own_errors_)}};
}

std::vector<Resource> wrap(const std::vector<Resource>& resources, const Around& hook) {
  std::vector<Resource> wrapped;
  wrapped.reserve(resources.size());
  for (const Resource& resource : resources) wrapped.push_back(resource.around(hook));
  return wrapped;
}

Resource make_plain_resource(std::string name, EnsureFunc created, EnsureFunc deleted) {
  std::vector<Error> errors = validate_resource(
      name, {{"ensure_created", static_cast<bool>(created)}, {"ensure_deleted", static_cast<bool>(deleted)}});
  return {std::move(name), std::make_shared<PlainBody>(std::move(created), std::move(deleted)), std::move(errors)};
}

std::vector<Error> validate_resource(const std::string& name, std::initializer_list<ResourcePart> parts) {
  std::vector<Error> errors;
  if (name.empty()) errors.push_back(invalid_config("a resource has an empty .name: set it"));
  for (const ResourcePart& part : parts) {
    if (part.is_given) continue;
    errors.push_back(
        invalid_config("." + std::string(part.name) + " of the resource \"" + name + "\" is an empty function"));
  }
  return errors;
}

}  // namespace pintle::crud
