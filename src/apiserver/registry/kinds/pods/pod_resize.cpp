// SPDX-License-Identifier: Apache-2.0
#include "pod_resize.hpp"

#include <string>
#include <utility>

#include <fmt/format.h>

#include "apiserver/registry/values.hpp"

namespace pintle::apiserver {
namespace {

using json::Value;

constexpr const char* lists[] = {"containers", "initContainers"};

const json::array* containers_of(const Value& pod, const char* list) {
  const Value* found = json::find(pod, fmt::format("/spec/{}", list));
  return found == nullptr ? nullptr : found->if_array();
}

const Value* container_named(const Value& pod, const char* list, std::string_view name) {
  const json::array* containers = containers_of(pod, list);
  if (containers == nullptr) return nullptr;
  for (const Value& one : *containers) {
    if (text_at(one, "/name") == name) return &one;
  }
  return nullptr;
}

const json::object* amounts_of(const Value& container, const char* list) {
  const Value* found = json::find(container, fmt::format("/resources/{}", list));
  return found == nullptr ? nullptr : found->if_object();
}

// True if an amount other than CPU and memory differs.
bool changes_other_amounts(const json::object* next, const json::object* old) {
  const auto differs = [](const json::object* a, const json::object* b) {
    if (a == nullptr) return false;
    for (const auto& [name, amount] : *a) {
      if (name == "cpu" || name == "memory") continue;
      const Value* other = b == nullptr ? nullptr : b->if_contains(name);
      if (other == nullptr || *other != amount) return true;
    }
    return false;
  };
  return differs(next, old) || differs(old, next);
}

bool removes_amounts(const json::object* next, const json::object* old) {
  if (old == nullptr) return false;
  for (const auto& [name, amount] : *old) {
    if (next == nullptr || !next->contains(name)) return true;
  }
  return false;
}

void validate_container(const Value& next, const Value& old, const std::string& field,
                        std::vector<StatusCause>& causes) {
  for (const char* list : {"requests", "limits"}) {
    const json::object* after = amounts_of(next, list);
    const json::object* before = amounts_of(old, list);
    if (removes_amounts(after, before)) {
      causes.push_back(forbidden_field(fmt::format("{}.resources.{}", field, list),
                                       fmt::format("resource {} cannot be removed", list)));
    } else if (changes_other_amounts(after, before)) {
      causes.push_back(forbidden_field("spec", "only cpu and memory resources are mutable"));
    }
  }
}

}  // namespace

void keep_all_but_resources(Value& next, const Value& old) {
  Value whole(old, next.storage());
  for (const char* list : lists) {
    each_object(whole, fmt::format("/spec/{}", list), [&](Value& container) {
      const Value* changed = container_named(next, list, text_at(container, "/name"));
      if (changed == nullptr) return;
      copy_member(container, *changed, "resources");
      copy_member(container, *changed, "resizePolicy");
    });
  }
  copy_member(whole.as_object()["metadata"], next.as_object()["metadata"], "managedFields");
  copy_member(whole.as_object()["metadata"], next.as_object()["metadata"], "resourceVersion");
  next = std::move(whole);
}

void keep_all_but_ephemeral_containers(Value& next, const Value& old) {
  Value whole(old, next.storage());
  copy_member(whole.as_object()["spec"], next.as_object()["spec"], "ephemeralContainers");
  copy_member(whole.as_object()["metadata"], next.as_object()["metadata"], "managedFields");
  copy_member(whole.as_object()["metadata"], next.as_object()["metadata"], "resourceVersion");
  next = std::move(whole);
}

bool same_resources(const Value& a, const Value& b) {
  for (const char* list : lists) {
    const json::array* containers = containers_of(a, list);
    if (containers == nullptr) continue;
    for (const Value& one : *containers) {
      const Value* other = container_named(b, list, text_at(one, "/name"));
      if (other != nullptr && !identical(member(one, "resources"), member(*other, "resources"))) return false;
    }
  }
  return true;
}

void validate_resize(const Value& next, const Value& old, std::vector<StatusCause>& causes) {
  for (const char* list : lists) {
    const json::array* containers = containers_of(next, list);
    for (std::size_t i = 0; containers != nullptr && i < containers->size(); ++i) {
      const Value& one = (*containers)[i];
      const Value* before = container_named(old, list, text_at(one, "/name"));
      if (before != nullptr) validate_container(one, *before, fmt::format("spec.{}[{}]", list, i), causes);
    }
  }
}

}  // namespace pintle::apiserver
