// SPDX-License-Identifier: Apache-2.0
// ConditionWriter: sets conditions in the status of an object.
#pragma once

#include <string>
#include <string_view>

#include <pintle/json/value.hpp>

namespace pintle::apiserver {

// Refers to the object. The time of a condition changes with its status.
class ConditionWriter {
 public:
  ConditionWriter(json::Value& object, std::string now);

  void set(std::string_view type, bool is_true, std::string_view reason, const std::string& message);

 private:
  const std::string now_;
  json::array* conditions_ = nullptr;
};

}  // namespace pintle::apiserver
