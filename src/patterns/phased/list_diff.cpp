#include <pintle/patterns/phased/list_diff.hpp>

#include <map>
#include <tuple>
#include <utility>

#include <pintle/json/pointer.hpp>
#include <pintle/json/three_way.hpp>

namespace pintle::phased {
namespace {

// What the server alone says about an object, and the version in which it was read.
constexpr const char* noise[] = {"/apiVersion",
                                 "/metadata/creationTimestamp",
                                 "/metadata/deletionGracePeriodSeconds",
                                 "/metadata/deletionTimestamp",
                                 "/metadata/generation",
                                 "/metadata/managedFields",
                                 "/metadata/resourceVersion",
                                 "/metadata/selfLink",
                                 "/metadata/uid"};

std::string annotation_pointer() {
  return "/metadata/annotations/" + json::escape_token(std::string(last_applied_annotation));
}

// The group, so that an object is the same in another version of its kind.
using Identity = std::tuple<std::string, std::string, ObjectKey>;
Identity identity_of(const Object& object) {
  const GroupVersionKind kind = object.group_version_kind();
  return {kind.group, kind.kind, object.key()};
}

std::string name_of(const Object& object) {
  return std::string(object.api_version()) + " " + std::string(object.kind()) + " " + object.key().to_string();
}

Result<void> check(const Object& expected) {
  if (!expected.kind().empty() && !expected.api_version().empty() && !expected.name().empty()) return {};
  return fail(ErrorCode::invalid,
              "an expected object needs apiVersion, kind and metadata.name; one has: " + name_of(expected));
}

Result<void> check(const IgnoreRules& ignore) {
  for (const std::string& pointer : ignore.pointers) {
    if (auto split = json::split_pointer(pointer); !split) return std::move(split.error()).during("IgnoreRules");
  }
  return {};
}

using ByIdentity = std::map<Identity, const json::Value*>;

Result<ByIdentity> by_identity(const std::vector<json::Value>& expected) {
  ByIdentity all;
  for (const json::Value& one : expected) {
    const Object object(one);
    if (auto checked = check(object); !checked) return fail(std::move(checked.error()));
    if (!all.emplace(identity_of(object), &one).second) {
      return fail(ErrorCode::invalid, "two expected objects are the same: " + name_of(object));
    }
  }
  return all;
}

// What counts of a document.
json::Value compared(json::Value value, const IgnoreRules& ignore) {
  for (const char* pointer : noise) json::erase(value, pointer);
  json::erase(value, annotation_pointer());
  if (ignore.status) json::erase(value, "/status");
  for (const std::string& pointer : ignore.pointers) json::erase(value, pointer);
  return value;
}

json::Value last_applied(const Object& current) {
  auto last = json::parse(current.annotation(last_applied_annotation));
  return last && last->is_object() ? std::move(*last) : json::Value(json::object());
}

json::Value update_of(const Object& current, const json::Value& expected, const IgnoreRules& ignore) {
  json::Value patch = json::three_way_diff(compared(last_applied(current), ignore),
                                           compared(current.to_value(), ignore), compared(expected, ignore));
  if (patch.as_object().empty()) return patch;
  json::Value with = with_last_applied(expected);
  (void)json::set(patch, annotation_pointer(), *json::find(with, annotation_pointer()));
  return patch;
}

}  // namespace

K8sDiff ListDiff::summary() const {
  K8sDiff diff{.need_create = !create.empty(), .need_update = !update.empty(), .need_delete = !remove.empty()};
  for (const json::Value& one : create) diff.diff += "create " + name_of(Object(one)) + "\n";
  for (const ObjectUpdate& one : update) diff.diff += "update " + name_of(one.current) + "\n";
  for (const Object& one : remove) diff.diff += "delete " + name_of(one) + "\n";
  return diff;
}

Result<ListDiff> diff_lists(const std::vector<json::Value>& expected, const std::vector<Object>& current,
                            const IgnoreRules& ignore) {
  if (auto checked = check(ignore); !checked) return fail(std::move(checked.error()));
  auto missing = by_identity(expected);
  if (!missing) return fail(std::move(missing.error()));
  ListDiff diff;
  for (const Object& one : current) {
    const auto found = missing->find(identity_of(one));
    const json::Value* wanted = found == missing->end() ? nullptr : found->second;
    if (wanted != nullptr) missing->erase(found);
    if (one.is_deleting()) continue;
    if (wanted == nullptr) {
      diff.remove.push_back(one);
    } else if (json::Value patch = update_of(one, *wanted, ignore); !patch.as_object().empty()) {
      diff.update.push_back({.current = one, .patch = std::move(patch)});
    }
  }
  for (const json::Value& one : expected) {
    if (missing->contains(identity_of(Object(one)))) diff.create.push_back(one);
  }
  return diff;
}

json::Value with_last_applied(json::Value expected) {
  json::erase(expected, annotation_pointer());
  json::Value text(json::print(expected));
  (void)json::set(expected, annotation_pointer(), std::move(text));
  return expected;
}

}  // namespace pintle::phased
