// SPDX-License-Identifier: Apache-2.0
// Kubernetes types as members of a custom kind: the CRD is valid, and the server keeps, defaults and validates their
// content.
#include <gmock/gmock.h>

#include <pintle/api/apps/v1.hpp>
#include <pintle/api/batch/v1.hpp>
#include <pintle/api/core/v1.hpp>
#include <pintle/json/pointer.hpp>
#include <pintle/object/schema/crd.hpp>

#include "controller/test_support.hpp"

namespace pintle {
namespace {

struct Runner {
  static constexpr Type type{"test.pintle.dev/v1", "Runner"};
  struct Spec {
    std::optional<api::batch::v1::JobTemplateSpec> job{};
    std::optional<api::core::v1::PodSpec> pod{};
    std::optional<api::apps::v1::StatefulSetSpec> set{};
    std::vector<api::core::v1::EnvVar> env{};
    std::optional<api::core::v1::Affinity> affinity{};
    std::optional<api::core::v1::ResourceRequirements> resources{};
    static constexpr auto fields() {
      return pintle::fields(field("job", &Spec::job, "A job."), field("pod", &Spec::pod, "A pod."),
                            field("set", &Spec::set, "A set."), field("env", &Spec::env, "Variables.").list_map("name"),
                            field("affinity", &Spec::affinity, "Where."),
                            field("resources", &Spec::resources, "How much."));
    }
  };
  Metadata metadata{};
  Spec spec{};
};

class BuiltInMembers : public ::testing::Test {
 protected:
  void SetUp() override {
    const json::Value crd = crd_of<Runner>();
    const auto good = validate_crd(crd);
    ASSERT_TRUE(good) << good.error().to_string();
    ASSERT_TRUE(simulation.user().create(crd));
    ASSERT_TRUE(simulation.run_until_idle());
  }
  Result<Object> create(std::string_view spec) {
    const std::string text =
        R"({"apiVersion":"test.pintle.dev/v1","kind":"Runner","metadata":{"name":"a","namespace":"default"},"spec":)" +
        std::string(spec) + "}";
    return simulation.user().create(json::parse(text).value());
  }

  testkit::Simulation simulation{{.seed = 1}};
};

constexpr std::string_view everything = R"({
  "job":{"metadata":{"labels":{"l":"1"},"annotations":{"a":"1"}},"spec":{"backoffLimit":2,"template":{
    "metadata":{"labels":{"l":"1"}},"spec":{"restartPolicy":"Never","imagePullSecrets":[{"name":"r"}],"containers":[
      {"name":"c","image":"i","ports":[{"containerPort":80,"protocol":"TCP"},{"containerPort":80,"protocol":"UDP"}],
       "livenessProbe":{"httpGet":{"path":"/","port":"http"}},"volumeMounts":[{"name":"v","mountPath":"/v"}]}]}}}},
  "pod":{"containers":[{"name":"c","resources":{"limits":{"cpu":"500m","memory":"1Gi"},"requests":{"cpu":1}}}],
    "initContainers":[{"name":"i"}],"tolerations":[{"key":"k","operator":"Exists"}]},
  "set":{"serviceName":"s","selector":{"matchLabels":{"l":"1"}},"template":{"metadata":{"labels":{"l":"1"}}},
    "volumeClaimTemplates":[{"metadata":{"name":"v","labels":{"l":"1"}},"spec":{"resources":{"requests":{"storage":"1Gi"}}}}]},
  "env":[{"name":"A","value":"1"},{"name":"B","valueFrom":{"secretKeyRef":{"name":"s","key":"k"}}}],
  "affinity":{"podAntiAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":[{"topologyKey":"zone"}]}},
  "resources":{"limits":{"cpu":"1"},"claims":[{"name":"g"}]}})";

TEST_F(BuiltInMembers, AreKeptAsTheyWereWritten) {
  const auto made = create(everything);
  ASSERT_TRUE(made) << made.error().to_string();
  const json::Document wanted = *json::Document::parse(everything);
  EXPECT_EQ((*made)["/spec"], wanted.root()) << (*made)["/spec"].print();
  const auto read = decode<Runner>(*made);
  ASSERT_TRUE(read) << read.error().to_string();
  EXPECT_EQ(read->spec.job->spec.template_.metadata.labels.at("l"), "1");
  EXPECT_EQ(read->spec.set->volume_claim_templates.at(0).metadata.name, "v");
}

TEST_F(BuiltInMembers, AKeyOfAListHasItsDefault) {
  const auto made =
      create(R"({"pod":{"containers":[{"name":"c","ports":[{"containerPort":80}]}],"imagePullSecrets":[{}]}})");
  ASSERT_TRUE(made) << made.error().to_string();
  EXPECT_EQ((*made)["/spec/pod/containers/0/ports/0/protocol"], "TCP");
  EXPECT_EQ((*made)["/spec/pod/imagePullSecrets/0/name"], "");
}

TEST_F(BuiltInMembers, ErrorsContainThePathOfTheMember) {
  const auto refused = [this](std::string_view spec) {
    const auto made = create(spec);
    return made ? "accepted" : made.error().to_string();
  };
  using ::testing::HasSubstr;
  EXPECT_THAT(refused(R"({"pod":{"containers":[{"image":"i"}]}})"), HasSubstr("spec.pod.containers[0].name"));
  EXPECT_THAT(refused(R"({"pod":{"containers":[{"name":"c","ports":[{"containerPort":"x"}]}]}})"),
              HasSubstr("spec.pod.containers[0].ports[0].containerPort"));
  EXPECT_THAT(refused(R"({"pod":{"containers":[{"name":"c"},{"name":"c"}]}})"), HasSubstr("spec.pod.containers[1]"));
  EXPECT_THAT(refused(R"({"resources":{"limits":{"cpu":"much"}}})"), HasSubstr("spec.resources.limits"));
  EXPECT_THAT(refused(R"({"job":{"spec":{"template":{"spec":{"containers":[],"restartPolicy":7}}}}})"),
              HasSubstr("spec.job.spec.template.spec.restartPolicy"));
}

}  // namespace
}  // namespace pintle
