// SPDX-License-Identifier: Apache-2.0
#include "recorded_list.hpp"

#include <utility>

#include <pintle/client/resource_target.hpp>
#include <pintle/http/message.hpp>
#include <pintle/json/pointer.hpp>
#include <pintle/object/selector.hpp>

namespace pintle {
namespace {

std::string member_text(const json::Value& object, std::string_view pointer) {
  const json::Value* found = json::find(object, pointer);
  return found != nullptr && found->is_string() ? std::string(found->get_string()) : std::string();
}

// Whether the object at a path belongs to the collection of a list.
bool is_in_collection(const std::string& path, const std::string& list) {
  const auto object = read_resource_target(path);
  const auto collection = read_resource_target(list);
  return object && collection && object->group_version == collection->group_version &&
         object->plural == collection->plural &&
         (!collection->in_namespace || object->namespace_ == collection->namespace_);
}

std::string key_of_path(const std::string& path) {
  const auto object = read_resource_target(path);
  return http::percent_decode(object->namespace_) + "/" + http::percent_decode(object->name);
}

std::string key_of(const json::Value& object) {
  return member_text(object, "/metadata/namespace") + "/" + member_text(object, "/metadata/name");
}

// The selectors in the target of a list. New objects are only on the first page.
class Selectors {
 public:
  explicit Selectors(const std::string& target) {
    const http::Target parts = http::parse_target(target);
    is_first_page_ = !parts.parameter("continue");
    labels_ = LabelSelector::parse(parts.parameter("labelSelector").value_or("")).value_or(LabelSelector());
    fields_ = FieldSelector::parse(parts.parameter("fieldSelector").value_or("")).value_or(FieldSelector());
  }

  [[nodiscard]] bool match(const json::Value& object) const {
    if (!is_first_page_ || !object.is_object()) return false;
    const json::Document document(object);
    return labels_.matches(document.root()["/metadata/labels"]) && fields_.matches(document.root());
  }

 private:
  bool is_first_page_ = false;
  LabelSelector labels_;
  FieldSelector fields_;
};

}  // namespace

std::string with_recorded_objects(std::string body, const std::string& target,
                                  const std::map<std::string, json::Value, std::less<>>& objects) {
  std::map<std::string, const json::Value*> recorded;  // by key
  for (const auto& [path, object] : objects) {
    if (is_in_collection(path, target)) recorded.emplace(key_of_path(path), &object);
  }
  if (recorded.empty()) return body;
  auto list = json::parse(body);
  json::Value* items = list ? json::find(*list, "/items") : nullptr;
  if (items == nullptr || !items->is_array()) return body;
  json::array all;
  for (json::Value& item : items->get_array()) {
    if (!recorded.contains(key_of(item))) all.push_back(std::move(item));
  }
  const Selectors selectors(target);
  for (const auto& [key, object] : recorded) {
    if (selectors.match(*object)) all.push_back(*object);
  }
  *items = std::move(all);
  return json::print(*list);
}

}  // namespace pintle
