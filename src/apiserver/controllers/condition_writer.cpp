// SPDX-License-Identifier: Apache-2.0
#include "condition_writer.hpp"

#include <algorithm>
#include <utility>

#include "apiserver/registry/values.hpp"

namespace pintle::apiserver {

ConditionWriter::ConditionWriter(json::Value& object, std::string now) : now_(std::move(now)) {
  json::Value& conditions = object_in(object, "status")["conditions"];
  if (!conditions.is_array()) conditions.emplace_array();
  conditions_ = &conditions.get_array();
}

void ConditionWriter::set(std::string_view type, bool is_true, std::string_view reason, const std::string& message) {
  const std::string_view status = is_true ? "True" : "False";
  auto* found = std::find_if(conditions_->begin(), conditions_->end(),
                             [&](const json::Value& one) { return text_at(one, "/type") == type; });
  if (found == conditions_->end()) found = conditions_->insert(found, json::Value{{"type", type}});
  json::object& condition = found->get_object();
  const bool changes = text_at(*found, "/status") != status;
  condition["status"] = status;
  if (changes) condition["lastTransitionTime"] = now_;
  condition["reason"] = reason;
  condition["message"] = message;
}

}  // namespace pintle::apiserver
