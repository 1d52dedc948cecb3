// SPDX-License-Identifier: Apache-2.0
#include <pintle/patterns/phased/list_diff.hpp>

#include <algorithm>
#include <cstdint>
#include <map>
#include <tuple>
#include <utility>

#include <pintle/json/patch.hpp>
#include <pintle/json/pointer.hpp>
#include <pintle/json/three_way.hpp>
#include <pintle/object/names.hpp>

namespace pintle::phased {
namespace {

// The metadata that only the server sets, and the API version in which the object was read.
constexpr const char* noise[] = {"/apiVersion",
                                 "/metadata/creationTimestamp",
                                 "/metadata/deletionGracePeriodSeconds",
                                 "/metadata/deletionTimestamp",
                                 "/metadata/generation",
                                 "/metadata/managedFields",
                                 "/metadata/resourceVersion",
                                 "/metadata/selfLink",
                                 "/metadata/uid"};

// The limit of Kubernetes for all annotations of an object together, including their names.
constexpr std::size_t max_annotations_size = std::size_t{256} << 10U;
constexpr std::size_t max_label_length = 63;

constexpr const char* owners_pointer = "/metadata/ownerReferences";

const std::string& label_pointer() {
  static const std::string pointer = "/metadata/labels/" + json::escape_token(std::string(phase_label));
  return pointer;
}

std::string annotation_pointer() {
  return "/metadata/annotations/" + json::escape_token(std::string(last_applied_annotation));
}

// Group, kind and key. The version is not included, so that an object is the same in another version of its kind.
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
              "an expected object needs apiVersion, kind and metadata.name; this one has only: " + name_of(expected));
}

Result<void> check(const DiffOptions& ignore) {
  for (const std::string& pointer : ignore.pointers) {
    if (auto split = json::split_pointer(pointer); !split)
      return std::move(split.error()).with_operation("DiffOptions");
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
      return fail(ErrorCode::invalid, "two expected objects are the same: " + name_of(object) + ": expect it once");
    }
  }
  return all;
}

// The parts of a document that are compared.
json::Value compared(json::Value value, const DiffOptions& ignore) {
  for (const char* pointer : noise) json::erase(value, pointer);
  json::erase(value, annotation_pointer());
  if (ignore.status) json::erase(value, "/status");
  return value;
}

bool is_array_at(const json::Value& value, std::string_view pointer) {
  const json::Value* there = json::find(value, pointer);
  return there != nullptr && there->is_array();
}

// Returns whether the expected object has every element of a list that is on the way to the pointer. The last element
// may be the next one of its list. Members of objects may be missing.
bool has_elements(const json::Value& should_be, const json::Value& is, std::string_view pointer) {
  for (std::size_t end = pointer.find('/', 1); end != std::string_view::npos; end = pointer.find('/', end + 1)) {
    const std::string_view list = pointer.substr(0, end);
    if (!is_array_at(is, list)) continue;
    const std::size_t next = pointer.find('/', end + 1);
    const bool is_last = next == std::string_view::npos;
    if (is_last ? !is_array_at(should_be, list) : json::find(should_be, pointer.substr(0, next)) == nullptr)
      return false;
  }
  return true;
}

// Gives the expected object the value that the existing object has at an ignored pointer. If the pointer were only left
// out of the comparison, a patch of a list around it would remove the value.
void keep_ignored(json::Value& should_be, const json::Value& is, const std::string& pointer) {
  const json::Value* there = json::find(is, pointer);
  if (there == nullptr) {
    json::erase(should_be, pointer);
  } else if (has_elements(should_be, is, pointer)) {
    (void)json::set(should_be, pointer, *there);
  }
}

json::Value last_applied(const Object& current) {
  auto last = json::parse(current.annotation(last_applied_annotation));
  return last && last->is_object() ? std::move(*last) : json::Value(json::object());
}

bool is_controller(const json::Value& reference) {
  const json::Value* flag = json::find(reference, "/controller");
  return flag != nullptr && *flag == true;
}

// Returns the owner reference with the same uid.
const json::Value* same_owner(const json::array& references, const json::Value& reference) {
  const json::Value* uid = json::find(reference, "/uid");
  const auto found = std::find_if(references.begin(), references.end(), [&](const json::Value& one) {
    const json::Value* other = json::find(one, "/uid");
    return uid != nullptr && other != nullptr && *uid == *other;
  });
  return found == references.end() ? nullptr : &*found;
}

// Adds the owner references of the existing object to the expected ones. The server treats the list as a map by uid to
// which other clients add their owners, but a merge patch replaces the whole list. An expected controller replaces the
// controller of the existing object, because an object has at most one.
void add_owners(json::Value& should_be, const json::Value& is) {
  json::Value* expected = json::find(should_be, owners_pointer);
  const json::Value* current = json::find(is, owners_pointer);
  if (expected == nullptr || !expected->is_array() || current == nullptr || !current->is_array()) return;
  const json::array& wanted = expected->get_array();
  const bool has_controller = std::any_of(wanted.begin(), wanted.end(), is_controller);
  json::array all;
  for (const json::Value& one : current->get_array()) {
    const json::Value* same = same_owner(wanted, one);
    if (same == nullptr && has_controller && is_controller(one)) continue;
    json::Value& kept = all.emplace_back(one);
    if (same != nullptr) json::apply_merge_patch(kept, *same);
  }
  for (const json::Value& one : wanted) {
    if (same_owner(current->get_array(), one) == nullptr) all.push_back(one);
  }
  *expected = std::move(all);
}

// Replaces each string, number, boolean, and list without objects or lists by 0, and drops null members. Only the names
// of the members remain.
json::Value members_of(const json::Value& value) {
  if (const json::object* members = value.if_object()) {
    json::object shape;
    for (const auto& [name, member] : *members) {
      if (!member.is_null()) shape.emplace(name, members_of(member));
    }
    return shape;
  }
  const json::array* elements = value.if_array();
  const auto has_members = [](const json::Value& one) { return one.is_object() || one.is_array(); };
  if (elements == nullptr || !std::any_of(elements->begin(), elements->end(), has_members)) return 0;
  json::array shape;
  for (const json::Value& element : *elements) shape.push_back(members_of(element));
  return shape;
}

// Returns whether the annotation has the members of the expected object. Otherwise, a later diff would not remove a
// member that is new, or would remove one that another client has added. An object without a valid annotation counts as
// recorded, because the annotation alone is no reason to write objects that have the expected values.
bool is_recorded(const json::Value& last, const json::Value& expected, const DiffOptions& ignore) {
  if (last.as_object().empty()) return true;
  json::Value members = compared(members_of(expected), ignore);
  json::erase(members, owners_pointer);
  return json::equal(last, members) || json::equal(members_of(last), members);
}

json::Value update_of(const Object& current, const json::Value& expected, const DiffOptions& ignore,
                      const std::string& mark) {
  json::Value is = compared(current.to_value(), ignore);
  json::Value should_be = compared(expected, ignore);
  for (const std::string& pointer : ignore.pointers) keep_ignored(should_be, is, pointer);
  add_owners(should_be, is);
  // Our label is compared even if DiffOptions ignores it. Our label and our annotation are in the expected document, so
  // that the patch does not remove them together with the last other label or annotation.
  if (!mark.empty()) (void)json::set(should_be, label_pointer(), json::Value(mark));
  for (json::Value* both : {&is, &should_be}) (void)json::set(*both, annotation_pointer(), json::Value(""));
  json::Value last = compared(last_applied(current), ignore);
  // The annotation has no uids, and a create adds a controller that the expected object need not name.
  json::erase(last, owners_pointer);
  json::Value patch = json::create_three_way_merge_patch(last, is, should_be);
  if (patch.as_object().empty() && is_recorded(last, expected, ignore)) return patch;
  json::Value with = with_last_applied(expected);
  (void)json::set(patch, annotation_pointer(), *json::find(with, annotation_pointer()));
  // The uid limits the patch to this object: another object of the same name may have replaced it since it was read.
  if (!current.uid().empty()) (void)json::set(patch, "/metadata/uid", json::Value(current.uid()));
  return patch;
}

Result<void> check_annotations(const json::Value& object) {
  const json::Value* annotations = json::find(object, "/metadata/annotations");
  if (annotations == nullptr || !annotations->is_object()) return {};
  std::size_t size = 0;
  for (const auto& [name, value] : annotations->get_object()) {
    size += name.size() + (value.is_string() ? value.get_string().size() : 0);
  }
  if (size <= max_annotations_size) return {};
  return fail(ErrorCode::invalid, name_of(Object(object)) + " has annotations of " + std::to_string(size) +
                                      " bytes, including the names of its members in " +
                                      std::string(last_applied_annotation) + ", but a server accepts at most " +
                                      std::to_string(max_annotations_size) +
                                      ": divide the object into several objects");
}

// FNV-1a. The hash is part of label values, so the algorithm must never change.
std::uint64_t stable_hash(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
  return hash;
}

std::string hexadecimal(std::uint64_t number) {
  std::string text(16, '0');
  for (auto digit = text.rbegin(); digit != text.rend(); ++digit, number >>= 4U) {
    *digit = "0123456789abcdef"[number & 15U];
  }
  return text;
}

}  // namespace

K8sDiff ListDiff::summary() const {
  K8sDiff diff{.need_create = !create.empty(),
               .need_update = !update.empty() || !ending.empty(),
               .need_delete = !remove.empty()};
  for (const json::Value& one : create) diff.diff += "create " + name_of(Object(one)) + "\n";
  for (const ObjectUpdate& one : update) diff.diff += "update " + name_of(one.current) + "\n";
  for (const Object& one : remove) diff.diff += "delete " + name_of(one) + "\n";
  for (const Object& one : ending) diff.diff += "wait for the deletion of " + name_of(one) + "\n";
  return diff;
}

std::string phase_label_value(std::string_view phase) {
  if (!phase.empty() && !names::validate_label_value(phase)) return std::string(phase);
  const std::string hash = hexadecimal(stable_hash(phase));
  std::string mark = "x";  // a label value begins with a letter or digit
  for (const char c : phase.substr(0, max_label_length - 2 - hash.size())) {
    const bool is_plain = ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z') || ('0' <= c && c <= '9');
    mark += is_plain ? c : '-';
  }
  return mark + "-" + hash;
}

Result<ListDiff> diff_lists(const std::vector<json::Value>& expected, const std::vector<Object>& current,
                            const DiffOptions& ignore, const std::string& mark) {
  if (auto checked = check(ignore); !checked) return fail(std::move(checked.error()));
  auto missing = by_identity(expected);
  if (!missing) return fail(std::move(missing.error()));
  for (const json::Value& one : expected) {
    if (auto fits = check_annotations(with_last_applied(one)); !fits) return fail(std::move(fits.error()));
  }
  ListDiff diff;
  for (const Object& one : current) {
    const auto found = missing->find(identity_of(one));
    const json::Value* wanted = found == missing->end() ? nullptr : found->second;
    if (wanted != nullptr) missing->erase(found);
    if (one.is_deleting()) {
      if (wanted != nullptr) diff.ending.push_back(one);
    } else if (wanted == nullptr) {
      const bool is_ours = mark.empty() || one.label(phase_label) == mark;
      (is_ours ? diff.remove : diff.unclaimed).push_back(one);
    } else if (json::Value patch = update_of(one, *wanted, ignore, mark); !patch.as_object().empty()) {
      diff.update.push_back({.current = one, .patch = std::move(patch)});
    }
  }
  for (const json::Value& one : expected) {
    if (missing->contains(identity_of(Object(one)))) diff.create.push_back(one);
  }
  return diff;
}

json::Value with_phase(json::Value expected, const std::string& mark) {
  (void)json::set(expected, label_pointer(), json::Value(mark));
  return expected;
}

json::Value with_last_applied(json::Value expected) {
  json::erase(expected, annotation_pointer());
  json::Value text(json::print(members_of(expected)));
  (void)json::set(expected, annotation_pointer(), std::move(text));
  return expected;
}

}  // namespace pintle::phased
