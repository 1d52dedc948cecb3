// SPDX-License-Identifier: Apache-2.0
#include "final_state.hpp"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include <pintle/base/time.hpp>
#include <pintle/json/pointer.hpp>
#include <pintle/json/value.hpp>
#include <pintle/object/object.hpp>

#include "marks.hpp"

namespace pintle::testkit {
namespace {

// A name may contain another one.
struct LongerFirst {
  bool operator()(const std::string& one, const std::string& other) const noexcept {
    return one.size() != other.size() ? one.size() > other.size() : one < other;
  }
};

// The replacements of uids and generated names.
using Replacements = std::map<std::string, std::string, LongerFirst>;

std::string replaced(std::string text, const Replacements& names) {
  for (const auto& [made_up, replacement] : names) {
    for (auto at = text.find(made_up); at != std::string::npos; at = text.find(made_up, at + replacement.size())) {
      text.replace(at, made_up.size(), replacement);
    }
  }
  return text;
}

// Removes what another program has set, and which trials with the same result may not have.
bool erase_marks(std::string_view name, json::Value& value) {
  if (value.is_object() && name == "labels") return value.as_object().erase(mark_label) != 0;
  if (value.is_object() && name == "annotations") return value.as_object().erase(mark_annotation) != 0;
  if (!value.is_array() || name != "finalizers") return false;
  json::array& all = value.as_array();
  const auto found = std::ranges::find(all, json::Value(mark_finalizer));
  if (found == all.end()) return false;
  all.erase(found);
  return true;
}

bool is_empty(const json::Value& value) {
  return value.is_object() ? value.get_object().empty() : value.is_array() && value.get_array().empty();
}

class Normalizer {
 public:
  Normalizer(const Replacements& names, const std::vector<std::string>& assigned)
      : names_(names), assigned_(assigned) {}

  json::Value normalized(const Object& object) {
    generation_ = object.generation();
    json::Value value = object.to_value();
    json::object& metadata = value.as_object()["metadata"].as_object();
    for (const char* made_up :
         {"uid", "resourceVersion", "creationTimestamp", "managedFields", "generation", "selfLink"}) {
      metadata.erase(made_up);
    }
    for (const std::string& pointer : assigned_) {
      if (json::find(value, pointer) != nullptr) (void)json::set(value, pointer, "assigned");
    }
    normalize(value, "");
    return value;
  }

 private:
  void normalize(json::Value& value, std::string_view name) {
    if (value.is_object()) {
      json::object sorted;
      std::vector<std::pair<std::string, json::Value>> members;
      for (auto& member : value.as_object()) members.emplace_back(member.key(), std::move(member.value()));
      std::ranges::sort(members, {}, [](const auto& member) -> const std::string& { return member.first; });
      for (auto& [key, inner] : members) {
        if (erase_marks(key, inner) && is_empty(inner)) continue;
        normalize(inner, key);
        sorted[key] = std::move(inner);
      }
      value = std::move(sorted);
    } else if (value.is_array()) {
      for (json::Value& element : value.as_array()) normalize(element, name);
      if (name == "conditions") sort_by_type(value.as_array());
    } else if (value.is_string()) {
      value = text(std::string(value.get_string()));
    } else if (name == "observedGeneration" && value.is_number()) {
      value = value.to_number<std::int64_t>() == generation_ ? "current" : "old";
    }
  }

  // Conditions are a set, whose order shows which came first.
  static void sort_by_type(json::array& conditions) {
    const auto type_of = [](const json::Value& condition) {
      const json::Value* type = json::find(condition, "/type");
      return type == nullptr ? std::string() : json::print(*type);
    };
    std::ranges::stable_sort(conditions, {}, type_of);
  }

  [[nodiscard]] std::string text(std::string text) const {
    return parse_time(text) ? "a time" : replaced(std::move(text), names_);
  }

  const Replacements& names_;
  const std::vector<std::string>& assigned_;
  std::int64_t generation_ = 0;
};

struct NamedObject {
  std::string key;  // "resource namespace/name"
  Object object;
};

// Also adds the generated names to `names`.
std::vector<NamedObject> objects_of(const ApiServer& server, const std::set<std::string>& resources,
                                    const std::set<StoredKey>& without, Replacements& names) {
  std::vector<NamedObject> objects;
  for (const std::string& resource : resources) {
    for (const Object& object : server.objects(resource)) {
      if (without.contains({.resource = resource, .key = object.key()})) continue;
      const std::string_view prefix = object.metadata().member("generateName").text();
      std::string name(object.name());
      if (!prefix.empty()) {
        const std::string shown = std::string(prefix) + "…";
        names.emplace(std::exchange(name, shown), shown);
      }
      objects.push_back({resource + " " + ObjectKey{std::string(object.namespace_()), name}.to_string(), object});
    }
  }
  return objects;
}

// Adds the uids, and their first parts, of which operators make names.
void add_uids(const NamedObject& of, Replacements& names) {
  const std::string uid(of.object.uid());
  names[uid] = "uid of " + of.key;
  const std::size_t end = uid.find('-');
  if (end != std::string::npos && end >= 8) names[uid.substr(0, end)] = "first part of the uid of " + of.key;
}

}  // namespace

FinalState final_state(const ApiServer& server, const std::set<std::string>& resources,
                       const std::set<StoredKey>& without, const std::vector<std::string>& assigned) {
  Replacements names;
  std::vector<NamedObject> objects = objects_of(server, resources, without, names);
  for (const NamedObject& one : objects) add_uids(one, names);
  // The name of a child may contain the uid of its owner, and that of a grandchild the uid of the child.
  for (int generation = 0; generation < 2; ++generation) {
    for (NamedObject& one : objects) {
      one.key = replaced(std::move(one.key), names);
      add_uids(one, names);
    }
  }
  Normalizer normalizer(names, assigned);
  std::multiset<std::pair<std::string, std::string>> sorted;  // objects with generated names have equal keys
  for (const auto& [key, object] : objects) sorted.emplace(key, json::print(normalizer.normalized(object)));
  FinalState state;
  for (const auto& [key, text] : sorted) {
    std::string& all = state[key];
    all += all.empty() ? text : "\n" + text;
  }
  return state;
}

std::string first_difference(const FinalState& expected, const FinalState& actual) {
  for (const auto& [key, text] : expected) {
    const auto found = actual.find(key);
    if (found == actual.end()) return key + " is missing; it should be " + text;
    if (found->second != text) return key + " is " + found->second + "; it should be " + text;
  }
  for (const auto& [key, text] : actual) {
    if (!expected.contains(key)) return key + " exists, and it should not: " + text;
  }
  return "";
}

}  // namespace pintle::testkit
