// SPDX-License-Identifier: Apache-2.0
#include "protobuf.hpp"

#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include <pintle/json/value.hpp>
#include <pintle/object/protobuf.hpp>

#include "apiserver/test_server.hpp"

namespace pintle::apiserver {
namespace {

constexpr std::string_view protobuf_type = "application/vnd.kubernetes.protobuf";

std::string varint(std::uint64_t value) {
  std::string out;
  for (; value >= 128; value >>= 7U) out += static_cast<char>(value | 128U);
  return out + static_cast<char>(value);
}
std::string number(std::uint64_t field, std::uint64_t value) { return varint(field << 3U) + varint(value); }
std::string chunk(std::uint64_t field, const std::string& bytes) {
  return varint(field << 3U | 2U) + varint(bytes.size()) + bytes;
}
std::string enveloped(const std::string& api_version, const std::string& kind, const std::string& raw) {
  return std::string("k8s\0", 4) + chunk(1, chunk(1, api_version) + chunk(2, kind)) + chunk(2, raw);
}

std::string decoded(const std::string& api_version, const std::string& kind, const std::string& raw) {
  auto value = decode_protobuf(enveloped(api_version, kind, raw));
  if (!value) return std::string(value.error().message);
  value->get_object().erase("apiVersion");
  value->get_object().erase("kind");
  return json::print(*value);
}

// A member that is no pointer is encoded even if it is unset. JSON leaves it out, or contains null for a list that must
// be set.
TEST(Protobuf, AZeroIsKeptOnlyForPointerMembers) {
  const std::string spec = number(1, 0) + number(5, 0) + number(7, 0);  // replicas, minReadySeconds, paused
  EXPECT_EQ(decoded("apps/v1", "Deployment", chunk(2, spec)), R"({"spec":{"replicas":0,"selector":null}})");
  EXPECT_EQ(decoded("apps/v1", "Deployment", chunk(2, number(5, 3) + number(7, 1))),
            R"({"spec":{"selector":null,"minReadySeconds":3,"paused":true}})");
  EXPECT_EQ(decoded("v1", "Pod", chunk(1, chunk(1, "a") + chunk(2, ""))), R"({"metadata":{"name":"a"}})");
}

TEST(Protobuf, MembersOfInlineMessagesAreInTheOuterObject) {
  const std::string empty_dir = chunk(2, chunk(1, "Memory") + chunk(2, chunk(1, "1Gi")));
  EXPECT_EQ(
      decoded("v1", "Pod", chunk(2, chunk(1, chunk(1, "tmp") + chunk(2, empty_dir)))),
      R"({"spec":{"volumes":[{"name":"tmp","emptyDir":{"medium":"Memory","sizeLimit":"1Gi"}}],"containers":null}})");
}

TEST(Protobuf, ValuesOfEveryTypeEqualThoseOfJson) {
  const auto entry = [](const std::string& key, const std::string& value) { return chunk(1, key) + chunk(2, value); };
  EXPECT_EQ(decoded("v1", "Secret", chunk(2, entry("k", std::string("\0\xff", 2)))), R"({"data":{"k":"AP8="}})");
  EXPECT_EQ(decoded("v1", "ResourceQuota", chunk(2, chunk(1, entry("pods", chunk(1, "10"))))),
            R"({"spec":{"hard":{"pods":"10"}}})");
  EXPECT_EQ(decoded("v1", "Service", chunk(2, chunk(1, number(3, 80) + chunk(4, number(1, 1) + chunk(3, "web"))))),
            R"({"spec":{"ports":[{"port":80,"targetPort":"web"}]}})");
  EXPECT_EQ(decoded("v1", "Service", chunk(2, chunk(1, chunk(4, number(2, 8080))))),
            R"({"spec":{"ports":[{"targetPort":8080}]}})");
  EXPECT_EQ(decoded("apps/v1", "ControllerRevision", chunk(2, chunk(1, R"({"a":[1]})"))), R"({"data":{"a":[1]}})");
  EXPECT_EQ(decoded("v1", "ConfigMap", chunk(1, chunk(8, number(1, 1'700'000'000)))),
            R"({"metadata":{"creationTimestamp":"2023-11-14T22:13:20Z"}})");
  EXPECT_EQ(decoded("coordination.k8s.io/v1", "Lease", chunk(2, chunk(4, number(1, 1'700'000'000) + number(2, 1000)))),
            R"({"spec":{"renewTime":"2023-11-14T22:13:20.000001Z"}})");
  EXPECT_EQ(
      decoded("authorization.k8s.io/v1", "SubjectAccessReview", chunk(2, chunk(5, entry("scopes", chunk(1, "a"))))),
      R"({"spec":{"extra":{"scopes":["a"]}}})");
  const std::string groups = number(4, 1) + chunk(4, varint(2) + varint(300));  // one number, then two packed
  EXPECT_EQ(decoded("v1", "Pod", chunk(2, chunk(14, groups))),
            R"({"spec":{"containers":null,"securityContext":{"supplementalGroups":[1,2,300]}}})");
}

// server-facts 10: the seconds since 1970 are negative, ten bytes of a varint.
TEST(Protobuf, TimesBefore1970HaveNegativeSeconds) {
  const auto seconds = [](std::int64_t count) { return number(1, static_cast<std::uint64_t>(count)); };
  EXPECT_EQ(decoded("v1", "ConfigMap", chunk(1, chunk(8, seconds(-1)))),
            R"({"metadata":{"creationTimestamp":"1969-12-31T23:59:59Z"}})");
  constexpr std::int64_t second_of_year_1 = -62'135'596'798;
  EXPECT_EQ(decoded("v1", "Event", chunk(6, seconds(second_of_year_1))),
            R"({"firstTimestamp":"0001-01-01T00:00:02Z"})");
}

TEST(Protobuf, AnUnknownMemberIsRefusedUnlessItIsEmpty) {
  EXPECT_EQ(decoded("v1", "ConfigMap", number(97, 0) + chunk(98, "") + varint(99U << 3U | 1U) + std::string(8, '\0')),
            "{}");
  const std::string why =
      "member 99 of core.v1.ConfigMap is not supported in protobuf: send the object as "
      "application/json";
  EXPECT_EQ(decoded("v1", "ConfigMap", number(99, 1)), why);
  EXPECT_EQ(decoded("v1", "ConfigMap", chunk(99, "x")), why);
  EXPECT_EQ(decoded("demo.pintle.dev/v1", "Greeting", ""),
            "demo.pintle.dev/v1 Greeting is not supported in protobuf: send the object as application/json");
  EXPECT_EQ(decoded("apps.example.com/v1", "Deployment", ""),  // the group begins like a built-in one
            "apps.example.com/v1 Deployment is not supported in protobuf: send the object as application/json");
}

TEST(Protobuf, AMalformedMessageIsInvalid) {
  const auto error_of = [](const std::string& kind, const std::string& raw) {
    const auto value = decode_protobuf(enveloped(kind == "ConfigMap" ? "v1" : "apps/v1", kind, raw));
    return value ? std::string("(none)") : std::string(to_string(value.error().code));
  };
  EXPECT_EQ(error_of("ConfigMap", chunk(1, "\x0a\x05x")), "invalid");
  EXPECT_EQ(error_of("ConfigMap", number(1, 5)), "invalid");                 // metadata is not a number
  EXPECT_EQ(error_of("ConfigMap", chunk(4, "yes")), "invalid");              // immutable is not a text
  EXPECT_EQ(error_of("ConfigMap", varint(1U << 3U | 3U)), "invalid");        // the wire type of a group
  EXPECT_EQ(error_of("ConfigMap", number(4, 1) + chunk(1, "")), "invalid");  // not in order
  EXPECT_EQ(error_of("ConfigMap", chunk(1, "") + chunk(1, "")), "invalid");  // twice
  EXPECT_EQ(error_of("ConfigMap", varint(4U << 3U) + std::string(11, '\x80')), "invalid");
  EXPECT_EQ(error_of("ConfigMap", chunk(1, chunk(8, number(1, 1ULL << 62U)))), "invalid");  // out of range for a time
  const auto nested = [](std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); };
  EXPECT_EQ(decoded("apps/v1", "ControllerRevision", chunk(2, chunk(1, nested(199)))),
            R"({"data":)" + nested(199) + "}");
  EXPECT_EQ(error_of("ControllerRevision", chunk(2, chunk(1, nested(200)))),
            "invalid");  // too deep together with the members around it
  EXPECT_EQ(error_of("ControllerRevision", chunk(2, chunk(1, "{"))), "invalid");
  EXPECT_EQ(decoded("v1", "", ""), "invalid protobuf at byte 12: the message has no kind");
  EXPECT_EQ(decode_protobuf("{}").error().message, "invalid protobuf at byte 0: it ends too early");
  EXPECT_EQ(decode_protobuf("{\"a\":1}").error().message,
            "invalid protobuf at byte 0: this is not Kubernetes protobuf");
}

// JSON has the replacement character in such a text, too.
TEST(Protobuf, ATextThatIsNotUtf8IsRepaired) {
  EXPECT_EQ(decoded("v1", "ConfigMap", chunk(1, chunk(1, "a\xff"))), "{\"metadata\":{\"name\":\"a\xef\xbf\xbd\"}}");
}

class ProtobufBodies : public ServerTest {};

TEST_F(ProtobufBodies, ADeploymentOfKubectlIsCreated) {
  const std::string labels = chunk(11, chunk(1, "app") + chunk(2, "web"));
  const std::string container = chunk(1, "nginx") + chunk(2, "nginx:1") + chunk(8, "") + chunk(14, "");
  const std::string pod = chunk(1, chunk(8, "") + labels) + chunk(2, chunk(2, container) + chunk(10, ""));
  const std::string spec = number(1, 2) + chunk(2, chunk(1, chunk(1, "app") + chunk(2, "web"))) + chunk(3, pod) +
                           chunk(4, chunk(1, "")) + number(5, 0) + number(7, 0);
  const std::string raw = chunk(1, chunk(1, "web") + labels) + chunk(2, spec) + chunk(3, number(1, 0) + number(2, 0));
  const auto made = call("POST", "/apis/apps/v1/namespaces/default/deployments",
                         enveloped("apps/v1", "Deployment", raw), std::string(protobuf_type));
  ASSERT_EQ(made.status, 201) << made.body;
  EXPECT_EQ(made.at("/spec/replicas"), "2");
  EXPECT_EQ(made.at("/spec/strategy/type"), "RollingUpdate");
  EXPECT_EQ(made.at("/spec/template/spec/containers/0/image"), "nginx:1");
  EXPECT_EQ(made.at("/spec/template/spec/containers/0/imagePullPolicy"), "IfNotPresent");
  EXPECT_EQ(made.at("/spec/minReadySeconds"), "");
}

TEST_F(ProtobufBodies, OfNetworkingKindsAreRead) {
  const auto response = call(
      "POST", "/apis/networking.k8s.io/v1/servicecidrs",
      enveloped("networking.k8s.io/v1", "ServiceCIDR", chunk(1, chunk(1, "a")) + chunk(2, chunk(1, "10.1.0.0/16"))),
      std::string(protobuf_type));
  EXPECT_EQ(response.at("/spec/cidrs"), R"(["10.1.0.0/16"])") << response.body;
}

// server-facts 2
TEST_F(ProtobufBodies, OfDefinitionsAreReadWithAllFormsOfASchema) {
  const json::Value definition =
      json::parse(R"({"metadata":{"name":"gadgets.pb.dev"},"spec":{"group":"pb.dev","scope":"Namespaced",
          "names":{"plural":"gadgets","kind":"Gadget"},"versions":[{"name":"v1","served":true,"storage":true,
          "additionalPrinterColumns":[{"name":"Size","type":"integer","jsonPath":".spec.size"}],
          "subresources":{"status":{}},"schema":{"openAPIV3Schema":{"type":"object","properties":{
            "spec":{"type":"object","required":["size"],"properties":{
              "size":{"type":"integer","minimum":1,"maximum":9.5,"default":3},
              "kind":{"type":"string","enum":["a","b"],"maxLength":5,"nullable":true},
              "any":{"x-kubernetes-preserve-unknown-fields":true},
              "port":{"x-kubernetes-int-or-string":true,"anyOf":[{"type":"integer"},{"type":"string"}]},
              "tags":{"type":"array","items":{"type":"string"},"x-kubernetes-list-type":"set"},
              "labels":{"type":"object","additionalProperties":{"type":"string"}}},
              "x-kubernetes-validations":[{"rule":"self.size > 0","message":"positive"}]},
            "status":{"type":"object","x-kubernetes-preserve-unknown-fields":true}}}}}]}})")
          .value();
  std::string message;
  const auto& type = *protobuf_types().find("apiextensions.v1.CustomResourceDefinition");
  const auto encoded = append_message(json::Document(definition).root(), type, message);
  ASSERT_TRUE(encoded) << encoded.error().message;

  const auto made =
      call("POST", definitions, protobuf_envelope("apiextensions.k8s.io/v1", "CustomResourceDefinition", message),
           std::string(protobuf_type));
  ASSERT_EQ(made.status, 201) << made.body;
  const char* schema = "/spec/versions/0/schema";
  EXPECT_TRUE(json::equal(made.json.at_pointer(schema), definition.at_pointer(schema))) << made.body;
  run_until_idle();
  EXPECT_EQ(post("/apis/pb.dev/v1/namespaces/default/gadgets",
                 R"({"apiVersion":"pb.dev/v1","kind":"Gadget","metadata":{"name":"g"},"spec":{"kind":"a"}})")
                .at("/spec/size"),
            "3");
}

TEST_F(ProtobufBodies, AreRefusedWithTheNameOfAnUnknownMember) {
  const auto response =
      call("POST", "/api/v1/namespaces/default/configmaps",
           enveloped("v1", "ConfigMap", chunk(1, chunk(1, "a")) + number(99, 1)), std::string(protobuf_type));
  EXPECT_EQ(response.status, 415);
  EXPECT_EQ(response.at("/reason"), "UnsupportedMediaType");
  EXPECT_EQ(response.at("/message"),
            "member 99 of core.v1.ConfigMap is not supported in protobuf: send the object as application/json");
}

class ProtobufResponses : public ServerTest {
 protected:
  // Returns the JSON of a protobuf response; null if it is none.
  static json::Value decoded_reply(const TestReply& reply) {
    EXPECT_EQ(reply.headers.get("Content-Type"), protobuf_type);
    auto value = decode_protobuf(reply.body);
    EXPECT_TRUE(value) << value.error().message;
    return value ? *value : json::Value();
  }
  // Removes apiVersion and kind from the items of a list. Those of a real server have none, either.
  void expect_same(const std::string& target) {
    const TestReply text = get(target);
    const json::Value binary = decoded_reply(get(target, std::string(protobuf_type)));
    EXPECT_TRUE(json::equal(binary, text.json)) << text.body << "\n" << json::print(binary);
  }
};

TEST_F(ProtobufResponses, OfEachVerbEqualTheJson) {
  const struct {
    const char* collection;
    const char* object;
  } samples[] = {
      {"/api/v1/namespaces/default/configmaps",
       R"({"metadata":{"name":"a","labels":{"b":"1","a":"2"}},"data":{"k":"é"}})"},
      {"/api/v1/namespaces/default/secrets", R"({"metadata":{"name":"a"},"data":{"k":"AP8="},"type":"Opaque"})"},
      {"/api/v1/namespaces/default/services",
       R"({"metadata":{"name":"a"},"spec":{"selector":{"a":"b"},"ports":[{"name":"a","port":80,"targetPort":"web"},{"name":"b","port":81}]}})"},
      {"/api/v1/namespaces/default/pods",
       R"({"metadata":{"name":"a","finalizers":["x.io/y"]},"spec":{"containers":[{"name":"c","image":"i","resources":{"limits":{"cpu":"100m"}},)"
       R"("livenessProbe":{"httpGet":{"port":8080}}}]}})"},
      {"/apis/apps/v1/namespaces/default/deployments",
       R"({"metadata":{"name":"a"},"spec":{"replicas":0,"selector":{"matchLabels":{"a":"b"}},"template":{"metadata":{"labels":{"a":"b"}},)"
       R"("spec":{"containers":[{"name":"c","image":"i"}]}}}})"},
      {"/apis/rbac.authorization.k8s.io/v1/namespaces/default/roles", R"({"metadata":{"name":"a"}})"},
      {"/apis/rbac.authorization.k8s.io/v1/namespaces/default/roles",
       R"({"metadata":{"name":"b"},"rules":[{"verbs":["get"],"resources":["pods"],"apiGroups":[""]}]})"},
      {"/apis/coordination.k8s.io/v1/namespaces/default/leases",
       R"({"metadata":{"name":"a"},"spec":{"renewTime":"2026-01-02T03:04:05.678901Z","leaseDurationSeconds":15}})"},
      {"/apis/apiregistration.k8s.io/v1/apiservices",
       R"({"metadata":{"name":"v1.x.dev"},"spec":{"group":"x.dev","version":"v1","groupPriorityMinimum":1000,"versionPriority":15}})"},
      {"/apis/resource.k8s.io/v1/deviceclasses",
       R"({"metadata":{"name":"a"},"spec":{"selectors":[{"cel":{"expression":"true"}}]}})"},
      {"/apis/batch/v1/namespaces/default/jobs",
       R"({"metadata":{"name":"a"},"spec":{"template":{"spec":{"restartPolicy":"Never","containers":[{"name":"c","image":"i"}]}}}})"},
  };
  for (const auto& sample : samples) {
    const std::string collection = sample.collection;
    const auto made =
        call("POST", collection, sample.object, "application/json", {{"Accept", std::string(protobuf_type)}});
    EXPECT_EQ(made.status, 201) << made.body;
    const json::Value object = decoded_reply(made);
    const std::string name(object.at_pointer("/metadata/name").as_string());
    EXPECT_TRUE(json::equal(object, get(collection + "/" + name).json)) << json::print(object);
    expect_same(collection + "/" + name);
    expect_same(collection);
    expect_same(collection + "?limit=1");
  }
}

TEST_F(ProtobufResponses, OfDefinitionsEqualTheJson) {
  post(definitions, R"({"metadata":{"name":"as.b.dev"},"spec":{"group":"b.dev","scope":"Cluster","names":{"plural":"as",
      "kind":"A"},"versions":[{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":{"type":"object",
      "properties":{"spec":{"type":"object","properties":{"a":{"type":"array","items":{"type":"integer","minimum":0.5}},
      "b":{"type":"object","additionalProperties":true},
      "c":{"type":"object","additionalProperties":{"type":"string","default":"x"}}}}}}}}]}})");
  run_until_idle();  // conditions that are an empty list would be null in protobuf
  expect_same(definitions + "/as.b.dev");
  expect_same(definitions);
}

TEST_F(ProtobufResponses, FollowTheOrderOfAccept) {
  const std::string collection = "/api/v1/namespaces/default/configmaps";
  const auto type_for = [&](const std::string& target, const std::string& accept) {
    const auto reply = get(target, accept);
    return std::to_string(reply.status) + " " + std::string(reply.headers.get("Content-Type").value_or(""));
  };
  const std::string protobuf(protobuf_type);
  EXPECT_EQ(type_for(collection, protobuf + ",application/json"), "200 " + protobuf);
  EXPECT_EQ(type_for(collection, "application/json," + protobuf), "200 application/json");
  EXPECT_EQ(type_for(collection, "application/json;q=0.5," + protobuf + ";q=0.9"), "200 " + protobuf);
  EXPECT_EQ(type_for(collection, protobuf + ";q=0,application/json"), "200 application/json");
  // A custom resource has no message. An error is a Status, which has one.
  post(definitions, widget_definition("pb.dev"));
  run_until_idle();
  const std::string widgets = "/apis/pb.dev/v1/namespaces/default/widgets";
  EXPECT_EQ(type_for(widgets, protobuf + ",application/json"), "200 application/json");
  EXPECT_EQ(get(widgets, protobuf).status, 406);
  const auto missing = get(collection + "/none", protobuf + ",application/json");
  EXPECT_EQ(missing.status, 404);
  EXPECT_EQ(json::print(decoded_reply(missing).at_pointer("/reason")), R"("NotFound")");
}

TEST_F(ProtobufResponses, AWatchSendsFrames) {
  const std::string collection = "/api/v1/namespaces/default/configmaps";
  post(collection, R"({"metadata":{"name":"a"},"data":{"k":"v"}})");
  http::Request request{.method = "GET",
                        .target = collection +
                                  "?watch=1&sendInitialEvents=true&allowWatchBookmarks=true"
                                  "&resourceVersionMatch=NotOlderThan"};
  request.headers.set("Accept", std::string(protobuf_type));
  http::Response response = server_.handle(request);
  EXPECT_EQ(response.headers.get("Content-Type"), std::string(protobuf_type) + ";stream=watch");
  std::string body;
  (void)response.stream->read(body);

  std::vector<std::string> events;
  for (std::string_view rest = body; !rest.empty();) {
    ASSERT_EQ(rest.substr(0, 2), std::string_view("\0\0", 2));
    const std::size_t size = static_cast<unsigned char>(rest[2]) * 256U + static_cast<unsigned char>(rest[3]);
    const auto event = read_protobuf_event(rest.substr(4, size));
    ASSERT_TRUE(event);
    const auto object = decode_protobuf(event->object);
    ASSERT_TRUE(object) << object.error().message;
    events.push_back(std::string(event->type) + " " + json::print(object->at_pointer("/metadata")));
    if (event->type == "ADDED") {
      EXPECT_TRUE(json::equal(*object, get(collection + "/a").json));
    }
    rest.remove_prefix(4 + size);
  }
  ASSERT_EQ(events.size(), 2U);
  EXPECT_NE(events[1].find("k8s.io/initial-events-end"), std::string::npos) << events[1];
  EXPECT_EQ(events[1].substr(0, 9), "BOOKMARK ");
}

}  // namespace
}  // namespace pintle::apiserver
