// SPDX-License-Identifier: Apache-2.0
#include "secret_data.hpp"

#include <gtest/gtest.h>

namespace pintle {
namespace {

std::string hidden(const std::string& message, std::string_view body) {
  Error error = make_error(ErrorCode::invalid, message);
  error.causes.push_back({.reason = "FieldValueInvalid", .message = message});
  hide_secret_data(error, body);
  EXPECT_EQ(error.message, error.causes.front().message);
  return error.message;
}

TEST(SecretData, IsReplacedInMessages) {
  EXPECT_EQ(hidden(".data: expected map, got &{[hunter2]}", R"({"kind":"Secret","data":["hunter2"]})"),
            ".data: expected map, got &{[…]}");
  EXPECT_EQ(hidden("a: hunter2, b: other", R"({"data":{"a":"hunter2"},"stringData":{"b":"other"}})"), "a: …, b: …");
  EXPECT_EQ(hidden("hunter2", R"([{"op":"add","path":"/data/a","value":"hunter2"}])"), "…");
}

TEST(SecretData, LeavesTheRestOfAMessage) {
  EXPECT_EQ(hidden("secrets \"hunter2\" not found", R"({"metadata":{"name":"hunter2"},"data":{"a":"x"}})"),
            "secrets \"hunter2\" not found");
  EXPECT_EQ(hidden("a message", "no JSON"), "a message");
}

}  // namespace
}  // namespace pintle
