// SPDX-License-Identifier: Apache-2.0
// Objects of widget_definition() for tests.
#pragma once

#include <string>

namespace pintle {

// Adds the type of a Widget to the rest of the object: a custom resource must name its type.
inline std::string widget(const std::string& group, const std::string& object, const std::string& version = "v1") {
  return R"({"apiVersion":")" + group + "/" + version + R"(","kind":"Widget",)" + object.substr(1);
}

}  // namespace pintle
