#include "protobuf.hpp"

#include <set>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include <pintle/json/value.hpp>

#include "apiserver/call/table/messages.hpp"
#include "apiserver/registry/words.hpp"
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

TEST(Protobuf, EveryRowOfTheTableNamesKnownTypes) {
  std::set<std::string_view> types{"string",    "int",  "bool",     "bytes",         "time",
                                   "microtime", "list", "quantity", "int-or-string", "json"};
  for (const MessageFacts& message : protobuf_messages()) types.insert(message.name);
  std::string_view before;
  for (const MessageFacts& message : protobuf_messages()) {
    EXPECT_LT(before, message.name);
    before = message.name;
    std::set<std::string_view> numbers;
    std::set<std::string_view> names;
    for (const std::string_view line : split(message.fields, '\n')) {
      const auto words = split(line, ' ');
      ASSERT_GE(words.size(), 3U) << message.name << ": " << line;
      EXPECT_TRUE(numbers.insert(words[0]).second) << message.name << ": " << line;
      EXPECT_TRUE(words[1] == "-" || names.insert(words[1]).second) << message.name << ": " << line;
      std::string_view type = words[2];
      if (type.starts_with("[]") || type.starts_with("{}")) type.remove_prefix(2);
      EXPECT_TRUE(types.contains(type)) << message.name << ": " << line;
      EXPECT_EQ(words.size() == 4, line.ends_with(" omit")) << message.name << ": " << line;
    }
  }
}

// A member that is no pointer is encoded even if it is unset. JSON leaves it out.
TEST(Protobuf, AZeroIsKeptOnlyForPointerMembers) {
  const std::string spec = number(1, 0) + number(5, 0) + number(7, 0);  // replicas, minReadySeconds, paused
  EXPECT_EQ(decoded("apps/v1", "Deployment", chunk(2, spec)), R"({"spec":{"replicas":0}})");
  EXPECT_EQ(decoded("apps/v1", "Deployment", chunk(2, number(5, 3) + number(7, 1))),
            R"({"spec":{"minReadySeconds":3,"paused":true}})");
  EXPECT_EQ(decoded("v1", "Pod", chunk(1, chunk(1, "a") + chunk(2, ""))), R"({"metadata":{"name":"a"}})");
}

TEST(Protobuf, MembersOfInlineMessagesAreInTheOuterObject) {
  const std::string empty_dir = chunk(2, chunk(1, "Memory") + chunk(2, chunk(1, "1Gi")));
  EXPECT_EQ(decoded("v1", "Pod", chunk(2, chunk(1, chunk(1, "tmp") + chunk(2, empty_dir)))),
            R"({"spec":{"volumes":[{"name":"tmp","emptyDir":{"medium":"Memory","sizeLimit":"1Gi"}}]}})");
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
            R"({"spec":{"securityContext":{"supplementalGroups":[1,2,300]}}})");
}

TEST(Protobuf, AnUnknownMemberIsRefusedUnlessItIsEmpty) {
  EXPECT_EQ(decoded("v1", "ConfigMap", number(99, 0) + chunk(98, "") + varint(97U << 3U | 1U) + std::string(8, '\0')),
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
  const std::string broken = "the body is truncated or not protobuf";
  EXPECT_EQ(decoded("v1", "ConfigMap", chunk(1, "\x0a\x05x")), broken);
  EXPECT_EQ(decoded("v1", "ConfigMap", number(1, 5)), broken);                // metadata is not a number
  EXPECT_EQ(decoded("v1", "ConfigMap", chunk(4, "yes")), broken);             // immutable is not a text
  EXPECT_EQ(decoded("v1", "ConfigMap", chunk(1, chunk(1, "\xff"))), broken);  // not UTF-8
  EXPECT_EQ(decoded("v1", "ConfigMap", varint(1U << 3U | 3U)), broken);       // the wire type of a group
  EXPECT_EQ(decoded("v1", "ConfigMap", varint(4U << 3U) + std::string(11, '\x80')), broken);
  EXPECT_EQ(decoded("v1", "ConfigMap", chunk(1, chunk(8, number(1, 1ULL << 62U)))), broken);  // out of range for a time
  const auto nested = [](std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); };
  EXPECT_EQ(decoded("apps/v1", "ControllerRevision", chunk(2, chunk(1, nested(199)))),
            R"({"data":)" + nested(199) + "}");
  EXPECT_EQ(decoded("apps/v1", "ControllerRevision", chunk(2, chunk(1, nested(200)))),
            broken);  // too deep together with the members around it
  EXPECT_EQ(decoded("v1", "\xff", ""), broken);
  EXPECT_EQ(decoded("v1", "", ""), "the body has no kind");
  EXPECT_EQ(decode_protobuf("{}").error().message, "the body is not Kubernetes protobuf");
}

class ProtobufBodies : public ServerTest {};

TEST_F(ProtobufBodies, ADeploymentOfKubectlIsCreated) {
  const std::string labels = chunk(11, chunk(1, "app") + chunk(2, "web"));
  const std::string container = chunk(1, "nginx") + chunk(2, "nginx:1") + chunk(8, "") + chunk(14, "");
  const std::string pod = chunk(1, labels + chunk(8, "")) + chunk(2, chunk(2, container) + chunk(10, ""));
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

TEST_F(ProtobufBodies, AreRefusedWithTheNameOfAnUnknownMember) {
  const auto response =
      call("POST", "/api/v1/namespaces/default/configmaps",
           enveloped("v1", "ConfigMap", chunk(1, chunk(1, "a")) + number(99, 1)), std::string(protobuf_type));
  EXPECT_EQ(response.status, 415);
  EXPECT_EQ(response.at("/reason"), "UnsupportedMediaType");
  EXPECT_EQ(response.at("/message"),
            "member 99 of core.v1.ConfigMap is not supported in protobuf: send the object as application/json");
}

}  // namespace
}  // namespace pintle::apiserver
