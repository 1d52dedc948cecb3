// SPDX-License-Identifier: Apache-2.0
// Defaults that a definition gains apply to stored objects when they are read (server-facts 7).
#include "../test_server.hpp"

namespace pintle {
namespace {

const std::string later_widgets = "/apis/later.dev/v1/namespaces/default/widgets";

class ReadDefaults : public ServerTest {
 protected:
  void SetUp() override {
    post(definitions, widget_definition("later.dev"));
    run_until_idle();
    post(later_widgets,
         R"({"apiVersion":"later.dev/v1","kind":"Widget","metadata":{"name":"w"},"spec":{"replicas":1}})");
    const auto changed =
        call("PATCH", definitions + "/widgets.later.dev",
             R"([{"op":"add","path":"/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/size",
             "value":{"type":"string","default":"small"}}])",
             "application/json-patch+json");
    ASSERT_EQ(changed.status, 200) << changed.body;
    run_until_idle();
  }
};

TEST_F(ReadDefaults, AreInGetsListsAndWatches) {
  EXPECT_EQ(get(later_widgets + "/w").at("/spec/size"), "small");
  EXPECT_EQ(get(later_widgets).at("/items/0/spec/size"), "small");
  auto events = watch(later_widgets + "?watch=true");
  const json::Value event = events.take();
  EXPECT_NE(json::print(event).find(R"("size":"small")"), std::string::npos) << json::print(event);
  EXPECT_EQ(server_.objects("widgets.later.dev").front()["/spec/size"].text(), "");
}

TEST_F(ReadDefaults, AreStoredByTheNextWrite) {
  const auto writes = server_.writes();
  merge(later_widgets + "/w", "{}");
  EXPECT_EQ(server_.writes(), writes + 1);
  EXPECT_EQ(server_.objects("widgets.later.dev").front()["/spec/size"].text(), "small");
  merge(later_widgets + "/w", "{}");
  EXPECT_EQ(server_.writes(), writes + 1);
}

}  // namespace
}  // namespace pintle
