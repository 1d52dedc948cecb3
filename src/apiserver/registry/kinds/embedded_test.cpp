// SPDX-License-Identifier: Apache-2.0
// Embedded objects of custom resources (server-facts 14).
#include "apiserver/test_server.hpp"

namespace pintle {
namespace {

const std::string boxes = "/apis/embed.dev/v1/namespaces/default/boxes";

class EmbeddedObjects : public ServerTest {
 protected:
  void SetUp() override {
    post(definitions, R"({"metadata":{"name":"boxes.embed.dev"},"spec":{"group":"embed.dev","scope":"Namespaced",
        "names":{"plural":"boxes","kind":"Box"},"versions":[{"name":"v1","served":true,"storage":true,"schema":
        {"openAPIV3Schema":{"type":"object","properties":{"templates":{"type":"array","items":{"type":"object",
        "x-kubernetes-embedded-resource":true,"x-kubernetes-preserve-unknown-fields":true}}}}}}]}})");
    run_until_idle();
  }
  TestReply make_box(const std::string& metadata, const std::string& query = "") {
    return post(boxes + query, R"({"apiVersion":"embed.dev/v1","kind":"Box","metadata":{"name":"b"},"templates":[
        {"apiVersion":"v1","kind":"Pod","metadata":)" +
                                   metadata + R"(,"anything":1}]})");
  }
};

TEST_F(EmbeddedObjects, HaveMetadataOfTheUsualForm) {
  const auto strict = make_box(R"({"name":"p","nmae":"x"})", "?fieldValidation=Strict");
  EXPECT_EQ(strict.status, 400);
  EXPECT_TRUE(strict.at("/message").ends_with("unknown field \"templates[0].metadata.nmae\"")) << strict.body;
  EXPECT_EQ(make_box(R"({"labels":{"a":1}})").status, 400);
  EXPECT_EQ(make_box(R"({"labels":{"a b":"c"}})").causes(), "FieldValueInvalid@templates[0].metadata.labels");

  const auto made = make_box(R"({"name":"p","nmae":"x","labels":{"a":"b"}})");
  EXPECT_EQ(made.status, 201) << made.body;
  EXPECT_EQ(made.at("/templates/0/metadata"), R"({"name":"p","labels":{"a":"b"}})");
  EXPECT_EQ(made.at("/templates/0/anything"), "1");
  EXPECT_NE(made.headers.get("Warning"), std::nullopt);
}

}  // namespace
}  // namespace pintle
