// SPDX-License-Identifier: Apache-2.0
#include "controller/disputes/field_owner.hpp"

#include <gtest/gtest.h>

namespace pintle {
namespace {

Object managed() {
  const auto parsed = json::Document::parse(R"({"metadata":{"managedFields":[
    {"manager":"us","time":"2026-01-01T00:00:05Z","fieldsV1":{"f:data":{".":{},"f:text":{}}}},
    {"manager":"edit","time":"2026-01-01T00:00:02Z","fieldsV1":{"f:data":{"f:text":{},"f:a/b":{}}}},
    {"manager":"early","time":"2026-01-01T00:00:01Z","fieldsV1":{"f:data":{"f:text":{}}}},
    {"manager":"lists","time":"2026-01-01T00:00:03Z","fieldsV1":{
      "f:spec":{"f:containers":{"k:{\"name\":\"b\"}":{".":{},"f:image":{}}},"f:whole":{}},
      "f:metadata":{"f:finalizers":{"v:\"x\"":{}}}}}]},
    "data":{"text":"t","a/b":"c"},
    "spec":{"containers":[{"name":"a","image":"i"},{"name":"b","image":"j"}],"whole":{"in":[1,2]}}})");
  return Object(*parsed);
}

TEST(OtherFieldManager, IsTheNewestOwnerOfTheField) {
  struct Case {
    const char* pointer;
    const char* manager;
  };
  const Case cases[] = {{"/data/text", "edit"},
                        {"/data/a~1b", "edit"},
                        {"/data/none", ""},
                        {"/spec/containers/0/image", ""},
                        {"/spec/containers/1/image", "lists"},
                        {"/spec/whole/in/1", "lists"},
                        {"/spec/none", ""},
                        {"", "lists"},
                        {"malformed", ""}};
  for (const Case& one : cases) {
    EXPECT_EQ(other_field_manager(managed(), one.pointer, {"us"}), one.manager) << one.pointer;
  }
}

TEST(OtherFieldManager, IsEmptyWithoutManagedFields) { EXPECT_EQ(other_field_manager(Object(), "/data", {}), ""); }

}  // namespace
}  // namespace pintle
