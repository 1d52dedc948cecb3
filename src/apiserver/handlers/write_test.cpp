// SPDX-License-Identifier: Apache-2.0
// Creates, updates and deletes in cases without a recording.
#include "../test_server.hpp"

#include <chrono>

#include <pintle/base/executor.hpp>

namespace pintle {
namespace {

class Writes : public ServerTest {
 protected:
  Writes() : ServerTest({.max_body_size = 10'000}) {}
};

TEST_F(Writes, AGeneratedNameIsUsedOnlyWithoutAName) {
  const auto made = post(config_maps, R"({"metadata":{"generateName":"gen-"}})");
  EXPECT_EQ(made.status, 201);
  EXPECT_TRUE(made.at("/metadata/name").starts_with("gen-"));
  EXPECT_EQ(post(config_maps, R"({"metadata":{"name":"a","generateName":"gen-"}})").at("/metadata/name"), "a");
}

TEST_F(Writes, ADryRunRespondsAsUsualAndStoresNothing) {
  const auto before = server_.resource_version();
  EXPECT_EQ(post(config_maps + "?dryRun=All", config_map("a")).status, 201);
  EXPECT_EQ(server_.resource_version(), before);
  post(config_maps, config_map("a"));
  EXPECT_EQ(post(config_maps + "?dryRun=All", config_map("a")).status, 409);
  EXPECT_EQ(remove(config_maps + "/a?dryRun=All").status, 200);
  EXPECT_EQ(names("configmaps"), "a");
}

TEST_F(Writes, ADeletionOrphansDependentsUnlessTheParameterIsFalse) {
  for (const char* value : {"False", "True"}) {
    const std::string uid = post(config_maps, config_map("owner")).at("/metadata/uid");
    post(config_maps, config_map("dependent", R"("ownerReferences":[{"apiVersion":"v1","kind":"ConfigMap",
        "name":"owner","uid":")" + uid + R"("}])"));
    EXPECT_EQ(remove(config_maps + "/owner?orphanDependents=" + value).status, 200) << value;
    run_until_idle();
    EXPECT_EQ(names("configmaps"), value == std::string_view("False") ? "" : "dependent") << value;
  }
}

TEST_F(Writes, ADeletionWithABodyIgnoresTheQuery) {
  for (const char* name : {"a", "b", "c"}) post(config_maps, config_map(name));
  EXPECT_EQ(remove(config_maps + "/a?dryRun=All", R"({"dryRun":["All"]})").status, 200);
  EXPECT_EQ(names("configmaps"), "a b c");
  EXPECT_EQ(remove(config_maps + "/a?dryRun=All", R"({"kind":"DeleteOptions","apiVersion":"v1"})").status, 200);
  EXPECT_EQ(names("configmaps"), "b c");
  EXPECT_EQ(remove(config_maps + "/b?propagationPolicy=Maybe").status, 422);
  EXPECT_EQ(remove(config_maps + "/b?propagationPolicy=Maybe", "{}").status, 200);
  EXPECT_EQ(remove(config_maps + "?dryRun=All", "{}").status, 200);
  EXPECT_EQ(names("configmaps"), "");
}

TEST_F(Writes, AWriteThatChangesNothingKeepsTheVersion) {
  const auto made = post(config_maps + "?fieldManager=one", R"({"metadata":{"name":"a"},"data":{"k":"1"}})");
  executor_.sleep_for(std::chrono::hours(1));
  const auto writes = server_.writes();
  const auto same = put(config_maps + "/a?fieldManager=one", R"({"metadata":{"name":"a"},"data":{"k":"1"}})");
  EXPECT_EQ(same.at("/metadata/resourceVersion"), made.at("/metadata/resourceVersion"));
  EXPECT_EQ(same.at("/metadata/managedFields"), made.at("/metadata/managedFields"));
  EXPECT_EQ(server_.writes(), writes);
}

// server-facts 10
TEST_F(Writes, TimesOfTheFirstYearAreValid) {
  const std::string leases = "/apis/coordination.k8s.io/v1/namespaces/default/leases";
  const auto made = post(leases, R"({"metadata":{"name":"l"},"spec":{"renewTime":"0001-01-01T00:00:02.5Z"}})");
  EXPECT_EQ(made.at("/spec/renewTime"), "0001-01-01T00:00:02.500000Z") << made.body;
  const auto pod = post("/api/v1/namespaces/default/events",
                        R"({"metadata":{"name":"e","namespace":"default"},"involvedObject":{"namespace":"default"},
                            "firstTimestamp":"0001-01-01T00:00:02Z"})");
  EXPECT_EQ(pod.at("/firstTimestamp"), "0001-01-01T00:00:02Z") << pod.body;
}

// server-facts 11
TEST_F(Writes, ADryRunOfACreateMayHaveAVersion) {
  const std::string body = config_map("a", R"("resourceVersion":"7")");
  EXPECT_EQ(post(config_maps + "?dryRun=All", body).status, 201);
  EXPECT_EQ(post(config_maps, body).status, 500);
}

TEST_F(Writes, TheUidOfAReplacementIsAPrecondition) {
  post(config_maps, config_map("a"));
  const auto refused = put(config_maps + "/a", config_map("a", R"("uid":"another")"));
  EXPECT_EQ(refused.status, 409);
  EXPECT_EQ(refused.at("/reason"), "Conflict");
}

TEST_F(Writes, ALeaseIsCreatedByUpdateAndThenNeedsAVersion) {
  const std::string leases = "/apis/coordination.k8s.io/v1/namespaces/default/leases";
  EXPECT_EQ(put(leases + "/l", config_map("l")).status, 201);
  const auto refused = put(leases + "/l", R"({"metadata":{"name":"l"},"spec":{"holderIdentity":"a"}})");
  EXPECT_EQ(refused.status, 422);
  EXPECT_EQ(refused.causes(), "FieldValueInvalid@metadata.resourceVersion");
}

TEST_F(Writes, ALeaseWithoutAHolderKeepsTheEmptyName) {
  const std::string leases = "/apis/coordination.k8s.io/v1/namespaces/default/leases";
  const auto made = post(leases, R"({"metadata":{"name":"l"},"spec":{"holderIdentity":"","leaseDurationSeconds":1}})");
  EXPECT_EQ(made.at("/spec"), R"({"holderIdentity":"","leaseDurationSeconds":1})");
  EXPECT_EQ(post(leases, R"({"metadata":{"name":"m"},"spec":{"leaseDurationSeconds":0}})").causes(),
            "FieldValueInvalid@spec.leaseDurationSeconds");
}

TEST_F(Writes, WrongTypesAreRefusedAndUnknownFieldsCauseWarnings) {
  EXPECT_EQ(post(config_maps, R"({"metadata":{"name":"a"},"data":{"k":1}})").status, 400);
  EXPECT_EQ(post(config_maps, R"({"metadata":{"name":"a","labels":{"l":1}}})").status, 400);
  const auto warned = post(config_maps, R"({"metadata":{"name":"a","bogus":1},"dat":{}})");
  EXPECT_EQ(warned.status, 201);
  const auto warnings = warned.headers.get_all("Warning");
  ASSERT_EQ(warnings.size(), 2U);
  EXPECT_EQ(warnings[0], R"(299 - "unknown field \"metadata.bogus\"")");
  EXPECT_EQ(post(config_maps + "?fieldValidation=Strict", R"({"metadata":{"name":"b"},"dat":{}})").status, 400);
  EXPECT_TRUE(
      post(config_maps + "?fieldValidation=Ignore", R"({"metadata":{"name":"b"},"dat":{}})").headers.get("Warning") ==
      std::nullopt);
  EXPECT_EQ(post(config_maps + "?fieldValidation=Maybe", config_map("c")).causes(),
            "FieldValueNotSupported@fieldValidation");
}

TEST_F(Writes, ANewFinalizerOfACustomObjectWithoutADomainCausesAWarning) {
  post(definitions, widget_definition("fin.dev"));
  run_until_idle();
  const std::string widgets = "/apis/fin.dev/v1/namespaces/default/widgets";
  const auto made = post(
      widgets, R"({"apiVersion":"fin.dev/v1","kind":"Widget","metadata":{"name":"w","finalizers":["z.dev","clean",)"
               R"("a.dev/b","orphan"]}})");
  const auto warnings = made.headers.get_all("Warning");
  ASSERT_EQ(warnings.size(), 2U);
  const std::string why = " to avoid accidental conflicts with other finalizer writers\"";
  EXPECT_EQ(warnings[0], R"(299 - "metadata.finalizers: \"clean\": prefer a domain-qualified finalizer name)" + why);
  EXPECT_EQ(
      warnings[1],
      R"(299 - "metadata.finalizers: \"z.dev\": prefer a domain-qualified finalizer name including a path (/))" + why);
  EXPECT_TRUE(merge(widgets + "/w", R"({"metadata":{"labels":{"a":"b"}}})").headers.get_all("Warning").empty());
}

TEST_F(Writes, AStrategicPatchReplacesAtomicMaps) {
  const std::string budgets = "/apis/policy/v1/namespaces/default/poddisruptionbudgets";
  ASSERT_EQ(post(budgets, R"({"metadata":{"name":"a"},"spec":{"minAvailable":1,"selector":{"matchLabels":{"x":"1"}}}})")
                .status,
            201);
  const auto patched = call("PATCH", budgets + "/a", R"({"spec":{"selector":{"matchLabels":{"y":"2"}}}})",
                            "application/strategic-merge-patch+json");
  EXPECT_EQ(patched.at("/spec/selector"), R"({"matchLabels":{"y":"2"}})") << patched.body;
  EXPECT_EQ(patched.at("/spec/minAvailable"), "1");
}

TEST_F(Writes, ALargeBodyIsRefusedWith413AndAStatus) {
  const std::string large = config_map(std::string(20'000, 'a'));
  const auto refused = post(config_maps, large);
  EXPECT_EQ(refused.status, 413);
  EXPECT_EQ(refused.at("/reason"), "RequestEntityTooLarge");
  EXPECT_EQ(merge(config_maps + "/a", large).status, 413);
  EXPECT_EQ(post("/apis/authentication.k8s.io/v1/tokenreviews", large).status, 413);
}

// The body is read last.
TEST_F(Writes, ALargeBodyIsNotReadIfTheRequestIsWrongOtherwise) {
  const std::string large = config_map(std::string(20'000, 'a'));
  EXPECT_EQ(post("/api/v1/namespaces/default/nothing", large).status, 404);
  EXPECT_EQ(post("/nothing", large).status, 404);
  EXPECT_EQ(post(config_maps + "/a", large).status, 405);
  EXPECT_EQ(post("/api/v1/componentstatuses", large).status, 405);
  EXPECT_EQ(call("POST", config_maps, large, "text/plain").status, 415);
}

class LargeWrites : public ServerTest {
 protected:
  static std::size_t count(const std::string& text, std::string_view part) {
    std::size_t found = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size())) ++found;
    return found;
  }
};

// To remove them one by one takes minutes.
TEST_F(LargeWrites, ManyUnknownFieldsAreRemovedInLinearTime) {
  post(definitions, widget_definition("many.dev"));
  run_until_idle();
  std::string unknown;
  for (int i = 0; i < 100'000; ++i) unknown += "\"u" + std::to_string(i) + "\":0,";
  const auto clock = make_real_executor(1);
  const Instant begin = clock->now();

  const std::string map = "{" + unknown + R"("metadata":{"name":"a"},"data":{"k":"v"}})";
  const auto refused = post(config_maps + "?fieldValidation=Strict", map);
  const auto made = post(config_maps, map);
  const auto widget = post("/apis/many.dev/v1/namespaces/default/widgets",
                           R"({"apiVersion":"many.dev/v1","kind":"Widget","metadata":{"name":"w"},"spec":{)" + unknown +
                               R"("replicas":1}})");

  EXPECT_LT(clock->now() - begin, std::chrono::seconds(60));
  EXPECT_EQ(refused.status, 400);
  EXPECT_EQ(count(refused.body, "unknown field"), 100U) << "as kube-apiserver";
  EXPECT_EQ(made.status, 201);
  EXPECT_EQ(made.at("/data"), R"({"k":"v"})");
  EXPECT_EQ(widget.status, 201);
  EXPECT_EQ(widget.at("/spec"), R"({"replicas":1,"image":"nginx"})");
}

// A search for each finalizer takes minutes.
TEST_F(LargeWrites, ManyFinalizersAreWrittenInLinearTime) {
  std::string finalizers;
  std::string reversed;  // the same in blocks of 1,000, with the last block first
  for (int block = 0; block < 100; ++block) {
    std::string names;
    for (int i = 0; i < 1'000; ++i) names += "\"a.dev/f" + std::to_string(1'000 * block + i) + "\",";
    finalizers += names;
    reversed.insert(0, names);
  }
  const auto with = [](const std::string& list) {
    return R"({"metadata":{"name":"a","finalizers":[)" + list + R"("a.dev/last"]}})";
  };
  const auto clock = make_real_executor(1);
  const Instant begin = clock->now();
  const auto made = post(config_maps, with(finalizers));
  const auto patched = call("PATCH", config_maps + "/a", with(reversed), "application/strategic-merge-patch+json");
  EXPECT_LT(clock->now() - begin, std::chrono::seconds(60));
  EXPECT_EQ(made.status, 201);
  EXPECT_EQ(patched.status, 200);
  EXPECT_EQ(patched.at("/metadata/finalizers/0"), "a.dev/f99000");
  EXPECT_EQ(patched.at("/metadata/finalizers/100000"), "a.dev/last");
}

TEST_F(LargeWrites, AJsonPatchHasAtMost10000Operations) {
  post(config_maps, config_map("a"));
  const auto patch_with = [this](int operations) {
    std::string text;
    for (int i = 0; i < operations; ++i) text += (i == 0 ? "[{}" : ",{}");
    return call("PATCH", config_maps + "/a", text + "]", "application/json-patch+json");
  };
  EXPECT_EQ(patch_with(10'000).status, 422);
  const auto refused = patch_with(10'001);
  EXPECT_EQ(refused.status, 413);
  EXPECT_EQ(refused.at("/reason"), "RequestEntityTooLarge");
  EXPECT_EQ(refused.at("/message"),
            "Request entity too large: The allowed maximum operations in a JSON patch is 10000, got 10001");
}

// The limit applies to all values together. Binary data counts as bytes, not as base64.
TEST(LargeData, IsRefusedLikeOnARealServer) {
  SimulatedExecutor executor;
  ApiServer server(executor);
  const auto post = [&](const std::string& resource, const std::string& data) {
    const http::Response response = server.handle({.method = "POST",
                                                   .target = "/api/v1/namespaces/default/" + resource,
                                                   .headers = {{"Content-Type", "application/json"}},
                                                   .body = R"({"metadata":{"generateName":"a"},)" + data + "}"});
    return std::pair(response.status, response.body);
  };
  constexpr std::size_t most = 1'048'576;
  const auto texts = [](const std::string& map, std::size_t size) {
    return "\"" + map + R"(":{"a":")" + std::string(size - 10, 'x') + R"(","b":"0123456789"})";
  };
  EXPECT_EQ(post("configmaps", texts("data", most)).first, 201);
  EXPECT_EQ(post("secrets", texts("stringData", most)).first, 201);
  const auto map = post("configmaps", texts("data", most + 1));
  EXPECT_EQ(map.first, 422);
  EXPECT_NE(map.second.find("[]: Too long: may not be more than 1048576 bytes"), std::string::npos) << map.second;
  const auto secret = post("secrets", texts("stringData", most + 1));
  EXPECT_EQ(secret.first, 422);
  EXPECT_NE(secret.second.find("data: Too long: may not be more than 1048576 bytes"), std::string::npos)
      << secret.second;
  const auto bytes = [](std::size_t groups) {
    std::string base64;
    for (std::size_t i = 0; i < groups; ++i) base64 += "AAAA";
    return R"("binaryData":{"a":")" + base64 + "\"}";
  };
  EXPECT_EQ(post("configmaps", bytes(most / 3)).first, 201);
  EXPECT_EQ(post("configmaps", bytes(most / 3 + 1)).first, 422);
}

TEST_F(Writes, ImmutableDataCannotChange) {
  post(config_maps, R"({"metadata":{"name":"a"},"immutable":true,"data":{"k":"1"}})");
  EXPECT_EQ(merge(config_maps + "/a", R"({"data":{"k":"2"}})").causes(), "FieldValueForbidden@data");
  EXPECT_EQ(merge(config_maps + "/a", R"({"immutable":null})").causes(), "FieldValueForbidden@immutable");
  EXPECT_EQ(merge(config_maps + "/a", R"({"metadata":{"labels":{"l":"1"}}})").status, 200);
}

TEST_F(Writes, AReplicaSetGetsDefaultsAndCountsChangesOfItsSpec) {
  const std::string sets = "/apis/apps/v1/namespaces/default/replicasets";
  const auto made = post(sets, R"({"metadata":{"name":"rs"},"spec":{"selector":{"matchLabels":{"a":"b"}},"template":
      {"metadata":{"labels":{"a":"b"}},"spec":{"containers":[{"name":"c","image":"nginx:1"}]}}}})");
  EXPECT_EQ(made.status, 201);
  EXPECT_EQ(made.at("/spec/replicas"), "1");
  EXPECT_EQ(made.at("/spec/template/spec/restartPolicy"), "Always");
  EXPECT_EQ(made.at("/spec/template/spec/containers/0/imagePullPolicy"), "IfNotPresent");
  EXPECT_EQ(made.at("/status"), R"({"replicas":0})");
  EXPECT_EQ(merge(sets + "/rs", R"({"spec":{"replicas":3}})").at("/metadata/generation"), "2");
  EXPECT_EQ(merge(sets + "/rs/status", R"({"status":{"replicas":3}})").at("/metadata/generation"), "2");
  EXPECT_EQ(get(sets + "/rs/scale").at("/status/replicas"), "3");
  EXPECT_EQ(post(sets, R"({"metadata":{"name":"no"},"spec":{"selector":{"matchLabels":{"a":"x"}},"template":
      {"metadata":{"labels":{"a":"b"}},"spec":{"containers":[{"name":"c","image":"i"}]}}}})")
                .causes(),
            "FieldValueInvalid@spec.template.metadata.labels");
}

TEST_F(Writes, TheTypeOfASecretCannotChange) {
  const std::string secrets = "/api/v1/namespaces/default/secrets";
  post(secrets, config_map("s"));
  EXPECT_EQ(merge(secrets + "/s", R"({"type":"other"})").causes(), "FieldValueInvalid@type");
}

TEST_F(Writes, AStrategicPatchMergesWithDirectives) {
  post(config_maps, R"({"metadata":{"name":"a"},"data":{"k":"1","l":"2"}})");
  const auto patched = call("PATCH", config_maps + "/a", R"({"data":{"$patch":"replace","m":"3"}})",
                            "application/strategic-merge-patch+json");
  EXPECT_EQ(patched.at("/data"), R"({"m":"3"})");
}

TEST_F(Writes, AFailedTestOfAJsonPatchIs422AndAMalformedPatch400) {
  post(config_maps, R"({"metadata":{"name":"a"},"data":{"k":"1"}})");
  const auto patch = [&](const char* body) {
    return call("PATCH", config_maps + "/a", body, "application/json-patch+json").status;
  };
  EXPECT_EQ(patch(R"([{"op":"test","path":"/data/k","value":"2"}])"), 422);
  EXPECT_EQ(patch(R"([{"op":"remove","path":"/data/none"}])"), 422);
  EXPECT_EQ(patch(R"({"op":"remove"})"), 400);
  EXPECT_EQ(patch(R"([{"op":"test","path":"/data/k","value":"1"},{"op":"replace","path":"/data/k","value":"2"}])"),
            200);
}

TEST_F(Writes, OptionsOfAPatchAreChecked) {
  post(config_maps, R"({"metadata":{"name":"a"}})");
  const auto causes = [&](const std::string& query) {
    return call("PATCH", config_maps + "/a?" + query, "{}", "application/merge-patch+json").causes();
  };
  EXPECT_EQ(causes("force=true"), "FieldValueForbidden@force");
  EXPECT_EQ(causes("fieldManager=%01"), "FieldValueInvalid@fieldManager");
  EXPECT_EQ(causes("fieldManager=m"), "");
}

TEST_F(Writes, DefaultNamespacesCannotBeDeleted) {
  EXPECT_EQ(names("namespaces"), "default kube-node-lease kube-public kube-system");
  EXPECT_EQ(remove("/api/v1/namespaces/default").status, 403);
}

TEST_F(Writes, ProtobufBodiesOfKubectlAreRead) {
  // A Namespace "p", as `kubectl create namespace p` sends it.
  const std::string object("\x0a\x03\x0a\x01p\x12\x00\x1a\x00", 9);
  const std::string meta("\x0a\x0f\x0a\x02v1\x12\x09Namespace", 17);
  std::string body("k8s\0", 4);
  body += meta + std::string("\x12", 1) + static_cast<char>(object.size()) + object;
  const auto made = call("POST", "/api/v1/namespaces", body, "application/vnd.kubernetes.protobuf");
  EXPECT_EQ(made.status, 201) << made.body;
  EXPECT_EQ(made.at("/metadata/name"), "p");
  for (std::size_t cut = 4; cut < body.size(); ++cut) {
    const int status =
        call("POST", "/api/v1/namespaces", body.substr(0, cut), "application/vnd.kubernetes.protobuf").status;
    EXPECT_TRUE(status == 400 || status == 409 || status == 422) << cut << ": " << status;
  }
}

}  // namespace
}  // namespace pintle
