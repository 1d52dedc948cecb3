// SPDX-License-Identifier: Apache-2.0
// --print-deploy: its output is applied to the embedded API server, which validates built-in kinds.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <unistd.h>

#include <pintle/json/pointer.hpp>
#include <pintle/webhook/admission.hpp>

#include "controller/test_support.hpp"
#include "manager/flags/flags.hpp"
#include "manager/rbac.hpp"

namespace pintle {
namespace {

namespace fs = std::filesystem;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

std::string at(const json::Value& value, const char* pointer) {
  const json::Value* found = json::find(value, pointer);
  return found == nullptr ? "missing" : json::print(*found);
}

std::string title(const json::Value& object) {
  std::string name = at(object, "/metadata/name");
  return std::string(object.at("kind").as_string()) + " " + name.substr(1, name.size() - 2);
}

class PrintDeploy : public ::testing::Test {
 protected:
  ~PrintDeploy() override { fs::remove_all(folder_); }

  // Runs the program with these arguments. Returns its exit code; its output is in `out_` and `err_`.
  int run(std::vector<std::string> arguments, ManagerOptions options = {.name = "op", .version = "1.2.3"}) {
    arguments.insert(arguments.begin(), {"op", "--print-deploy"});
    std::vector<char*> argv;
    for (std::string& one : arguments) argv.push_back(one.data());
    argv.push_back(nullptr);
    char* none = nullptr;
    options.args = {static_cast<int>(arguments.size()), argv.data(), &none};
    const std::vector<NamedCluster> clusters = options.clusters;
    Manager manager(std::move(options));
    for (const NamedCluster& one : clusters) {
      manager.add(Controller<Note>{
          .name = "far", .cluster = one.name.value(), .reconcile = [](const Note&, Context&) { return done; }});
    }
    manager.add(Controller<Note>{.owns = {ConfigMap::type}, .reconcile = [](const Note&, Context&) { return done; }});
    if (has_admission_) {
      manager.add(Admission<Note>{.validate = [](const Note&, const AdmissionContext&) { return AdmissionVerdict(); },
                                  .side_effects = SideEffects::none});
    }
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    const int code = run_until_signal(manager);
    out_ = testing::internal::GetCapturedStdout();
    err_ = testing::internal::GetCapturedStderr();
    return code;
  }
  std::vector<json::Value> objects(const std::vector<std::string>& arguments) {
    EXPECT_EQ(run(arguments), 0) << err_;
    return documents(out_);
  }
  static std::vector<json::Value> documents(const std::string& text) {
    const json::array all = json::parse_yaml_stream(text).value();
    return {all.begin(), all.end()};
  }
  static json::Value find(const std::vector<json::Value>& objects, const std::string& wanted) {
    for (const json::Value& one : objects) {
      if (title(one) == wanted) return one;
    }
    ADD_FAILURE() << wanted << " is missing";
    return json::object();
  }
  static std::vector<std::string> titles(const std::vector<json::Value>& objects) {
    std::vector<std::string> all;
    for (const json::Value& one : objects) all.push_back(title(one));
    return all;
  }
  std::string read(const std::string& name) const {
    std::ifstream file(folder_ / name);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  bool has_admission_ = false;
  std::string out_;
  std::string err_;
  const fs::path folder_ = fs::path(::testing::TempDir()) / ("pintle_print_deploy_" + std::to_string(::getpid()));
};

TEST_F(PrintDeploy, PrintsWhatAnOperatorNeeds) {
  const auto all = objects({"--leader-elect"});
  EXPECT_THAT(titles(all),
              ElementsAre("Namespace op", "CustomResourceDefinition notes.test.pintle.dev", "ServiceAccount op",
                          "Role op", "RoleBinding op", "ClusterRole op", "ClusterRoleBinding op", "Deployment op",
                          "Service op-metrics", "PodDisruptionBudget op"));
  const json::Value deployment = find(all, "Deployment op");
  EXPECT_EQ(at(deployment, "/metadata/namespace"), "\"op\"");
  EXPECT_EQ(at(deployment, "/spec/replicas"), "2");
  EXPECT_EQ(at(deployment, "/spec/strategy"), "missing");
  EXPECT_EQ(at(deployment, "/spec/template/spec/containers/0/image"), "\"op:1.2.3\"");
  EXPECT_EQ(at(deployment, "/spec/template/spec/containers/0/args"),
            R"(["--leader-elect","--listen=0.0.0.0:8080","--crds=never"])");
  EXPECT_EQ(at(deployment, "/spec/template/spec/containers/0/readinessProbe/httpGet"),
            R"({"path":"/readyz","port":"pages","scheme":"HTTP"})");
  EXPECT_EQ(at(deployment, "/spec/template/spec/terminationGracePeriodSeconds"), "45");
  EXPECT_EQ(at(find(all, "Role op"), "/metadata/namespace"), "\"op\"") << "of the Lease";

  const auto alone = objects({});
  EXPECT_EQ(at(find(alone, "Deployment op"), "/spec/replicas"), "1");
  EXPECT_EQ(at(find(alone, "Deployment op"), "/spec/strategy/type"), "\"Recreate\"");
}

// The server validates the built-in kinds strictly, and a second apply must change nothing.
TEST_F(PrintDeploy, AnApiServerAcceptsAllObjects) {
  has_admission_ = true;
  const auto all = objects({"--leader-elect", "--state-dir", "/var/lib/op/state", "--tls", "--authorize"});
  testkit::Simulation simulation{{.seed = 1}};
  for (const json::Value& one : all) {
    const auto made = simulation.user().create(one, {.field_validation = FieldValidation::strict});
    EXPECT_TRUE(made) << title(one) << ": " << made.error().to_string();
  }
}

// The ServiceAccount has the roles of --print-rbac, and no others.
TEST_F(PrintDeploy, BindsEachRole) {
  has_admission_ = true;
  const auto all = objects({"--leader-elect", "--namespace", "a,b"});
  std::set<std::string> roles;
  std::set<std::string> bound;
  for (const json::Value& one : all) {
    const std::string kind(one.at("kind").as_string());
    const std::string where = at(one, "/metadata/namespace") + "/";
    if (kind == "Role" || kind == "ClusterRole") {
      roles.insert(kind + " " + where + at(one, "/metadata/name"));
      EXPECT_THAT(json::print(one), Not(HasSubstr("customresourcedefinitions"))) << "the CRDs are among the manifests";
    }
    if (!kind.ends_with("Binding")) continue;
    bound.insert(std::string(one.at("roleRef").at("kind").as_string()) + " " + where + at(one, "/roleRef/name"));
    EXPECT_EQ(at(one, "/subjects"), R"([{"kind":"ServiceAccount","name":"op","namespace":"op"}])");
  }
  EXPECT_EQ(roles, bound);
  EXPECT_THAT(roles, Contains(HasSubstr("\"a\"")));
  EXPECT_THAT(roles, Contains(HasSubstr("\"op\"/")));
}

TEST_F(PrintDeploy, PassesTheGivenFlagsOn) {
  const fs::path config = folder_ / "config.yaml";
  fs::create_directories(folder_);
  std::ofstream(config) << "log-level: debug\n";
  const auto all =
      objects({"--config", config, "--kubeconfig", "/none", "--no-restore-crds", "--listen=[::]:9000", "--leader-elect",
               "--deploy-image", "registry:5000/op@sha256:1", "--deploy-namespace", "ns", "--deploy-replicas", "3"});
  const json::Value deployment = find(all, "Deployment op");
  EXPECT_EQ(at(deployment, "/spec/template/spec/containers/0/args"),
            R"(["--listen=[::]:9000","--no-restore-crds","--log-level=debug","--leader-elect","--crds=never"])");
  EXPECT_EQ(at(deployment, "/spec/template/spec/containers/0/image"), "\"registry:5000/op@sha256:1\"");
  EXPECT_EQ(at(deployment, "/spec/replicas"), "3");
  EXPECT_EQ(at(deployment, "/metadata/namespace"), "\"ns\"");
  EXPECT_EQ(at(find(all, "Service op-metrics"), "/spec/ports/0/port"), "9000");
}

TEST_F(PrintDeploy, PassesASwitchOnThatIsGivenAsANumber) {
  const json::Value on = find(objects({"--leader-elect=1", "--tls=1", "--debug=0"}), "Deployment op");
  EXPECT_EQ(at(on, "/spec/template/spec/containers/0/args"),
            R"(["--no-debug","--tls","--leader-elect","--listen=0.0.0.0:8080","--crds=never"])");
  EXPECT_EQ(at(on, "/spec/replicas"), "2");
  EXPECT_EQ(at(on, "/spec/template/spec/containers/0/livenessProbe/httpGet/scheme"), "\"HTTPS\"");
}

TEST_F(PrintDeploy, LeavesTheCrdsToAnOperatorThatInstallsThem) {
  const auto all = objects({"--crds=upgrade"});
  EXPECT_THAT(titles(all), Not(Contains("CustomResourceDefinition notes.test.pintle.dev")));
  EXPECT_THAT(json::print(find(all, "ClusterRole op")), HasSubstr("customresourcedefinitions"));
}

TEST_F(PrintDeploy, ServesWebhooksIfThereAreAdmissions) {
  has_admission_ = true;
  const auto all = objects({});
  const json::Value deployment = find(all, "Deployment op");
  EXPECT_THAT(at(deployment, "/spec/template/spec/containers/0/args"),
              HasSubstr(R"("--webhook-listen=0.0.0.0:9443","--webhook-install=upgrade")"));
  EXPECT_EQ(at(deployment, "/spec/template/spec/containers/0/ports/1"), R"({"name":"webhooks","containerPort":9443})");
  EXPECT_EQ(at(find(all, "Service op"), "/spec/ports/0"), R"({"name":"webhooks","port":443,"targetPort":"webhooks"})");
  EXPECT_EQ(at(find(all, "Service op"), "/spec/publishNotReadyAddresses"), "missing")
      << "it would send calls to instances that do not listen yet or any more";
  EXPECT_THAT(titles(all), Not(Contains("ValidatingWebhookConfiguration op"))) << "the operator writes it";
  EXPECT_THAT(titles(objects({"--webhook-install=never"})), Contains("ValidatingWebhookConfiguration op"));
  EXPECT_THAT(
      at(find(objects({"--webhook-install=if_missing"}), "Deployment op"), "/spec/template/spec/containers/0/args"),
      HasSubstr(R"(["--webhook-install=if_missing",)"));
}

TEST_F(PrintDeploy, KeepsThePolicyOfAnOperatorThatNeverWritesWebhooks) {
  has_admission_ = true;
  ManagerOptions options{.name = "op", .version = "1.2.3"};
  options.webhooks.install = WebhookPolicy::never;
  ASSERT_EQ(run({}, options), 0) << err_;
  EXPECT_THAT(out_, Not(HasSubstr("--webhook-install")));
  EXPECT_THAT(titles(documents(out_)), Contains("ValidatingWebhookConfiguration op"));
}

TEST_F(PrintDeploy, HasAServiceMonitorIfItIsWanted) {
  EXPECT_THAT(titles(objects({})), Not(Contains("ServiceMonitor op")));
  const auto all = objects({"--deploy-service-monitor", "--tls", "--authorize"});
  EXPECT_EQ(at(find(all, "ServiceMonitor op"), "/spec/endpoints/0/scheme"), "\"https\"");
  EXPECT_THAT(at(find(all, "ServiceMonitor op"), "/spec/endpoints/0/bearerTokenFile"), HasSubstr("token"));
}

TEST_F(PrintDeploy, HasARoleForReadersOfTheMetrics) {
  EXPECT_THAT(titles(objects({"--debug"})), Not(Contains("ClusterRole op-metrics-reader")));
  const auto all = objects({"--tls", "--authorize"});
  EXPECT_EQ(at(find(all, "ClusterRole op-metrics-reader"), "/rules"),
            R"([{"nonResourceURLs":["/metrics"],"verbs":["get"]}])");
  EXPECT_THAT(titles(all), Not(Contains("ClusterRoleBinding op-metrics-reader"))) << "the operator does not need it";
}

TEST_F(PrintDeploy, TakesTheKubeconfigOfAnotherClusterFromASecret) {
  ASSERT_EQ(run({"--state-dir=/var/lib/op/state"}, {.name = "op", .version = "1", .clusters = {{.name = "edge"}}}), 0)
      << err_;
  const json::Value pod = *json::find(find(documents(out_), "Deployment op"), "/spec/template/spec");
  EXPECT_THAT(at(pod, "/containers/0/args"), HasSubstr("\"--edge-kubeconfig=/etc/op/edge/kubeconfig\""));
  EXPECT_EQ(at(pod, "/containers/0/volumeMounts/1"), R"({"name":"kubeconfig-edge","mountPath":"/etc/op/edge"})");
  EXPECT_EQ(at(pod, "/volumes/1"), R"({"name":"kubeconfig-edge","secret":{"secretName":"op-edge"}})");
}

TEST_F(PrintDeploy, WritesTheRolesForAnotherClusterToAFileOfTheirOwn) {
  const ManagerOptions options{.name = "op", .version = "1", .clusters = {{.name = "edge"}}};
  ASSERT_EQ(run({}, options), 0) << err_;
  EXPECT_EQ(std::ranges::count(titles(documents(out_)), "ClusterRole op"), 1) << "that of the cluster of the operator";
  ASSERT_EQ(run({"--format=kustomize", "--deploy-out", folder_}, options), 0) << err_;
  EXPECT_THAT(titles(documents(read("edge/rbac.yaml"))), ElementsAre("ClusterRole op"));
  EXPECT_THAT(read("kustomization.yaml"), Not(HasSubstr("edge")));
  ASSERT_EQ(run({"--format=helm", "--deploy-out", folder_ / "chart"}, options), 0) << err_;
  EXPECT_FALSE(fs::exists(folder_ / "chart/templates/edge"));
}

// A chart with its default values is the same as the plain manifests.
TEST_F(PrintDeploy, AChartHasTheSameObjects) {
  has_admission_ = true;
  const std::vector<std::string> arguments{"--leader-elect", "--log-level=info"};
  std::vector<json::Value> plain = objects(arguments);
  std::erase_if(plain, [](const json::Value& one) { return title(one) == "Namespace op"; });

  std::vector<std::string> chart = arguments;
  chart.insert(chart.end(), {"--format", "helm", "--deploy-out", folder_});
  ASSERT_EQ(run(chart), 0) << err_;
  EXPECT_EQ(out_, "");
  const json::Value values = json::parse_yaml(read("values.yaml")).value();
  EXPECT_EQ(at(json::parse_yaml(read("Chart.yaml")).value(), "/appVersion"), "\"1.2.3\"");
  std::vector<json::Value> made;
  std::set<std::string> used;
  for (const auto& file : fs::directory_iterator(folder_ / "templates")) {
    std::string text = read(fs::path("templates") / file.path().filename());
    for (std::size_t begin = text.find("{{"); begin != std::string::npos; begin = text.find("{{", begin)) {
      const std::size_t end = text.find("}}", begin);
      ASSERT_NE(end, std::string::npos) << text;
      const std::string place = text.substr(begin + 3, end - begin - 4);
      std::string value = "op";  // the namespace of the release
      if (place.starts_with(".Values.")) {
        std::string pointer = place.substr(7);
        std::replace(pointer.begin(), pointer.end(), '.', '/');
        const json::Value* found = json::find(values, pointer);
        ASSERT_NE(found, nullptr) << place;
        value = found->is_string() ? std::string(found->as_string()) : json::print(*found);
        used.insert(pointer);
      } else {
        EXPECT_EQ(place, ".Release.Namespace");
      }
      text.replace(begin, end + 2 - begin, value);
      begin += value.size();
    }
    for (json::Value& one : documents(text)) made.push_back(std::move(one));
  }
  EXPECT_EQ(used.size(), 6U) << "each value is used";
  ASSERT_EQ(made.size(), plain.size());
  for (json::Value& one : made) {
    if (one.at("kind") == "CustomResourceDefinition") {
      EXPECT_EQ(at(one, "/metadata/annotations/helm.sh~1resource-policy"), "\"keep\"");
      one.at("metadata").as_object().erase("annotations");
    }
    EXPECT_TRUE(json::equal(one, find(plain, title(one)))) << json::print_yaml(one);
  }
}

TEST_F(PrintDeploy, AChartHasAFixedNumberOfInstancesWithoutLeaderElection) {
  ASSERT_EQ(run({"--format=helm", "--deploy-out", folder_}), 0) << err_;
  EXPECT_THAT(read("values.yaml"), Not(HasSubstr("replicas")));
  EXPECT_THAT(read("templates/deployment.yaml"), HasSubstr("replicas: 1\n"));
}

// The text of a flag, and the description of a CRD, can contain the braces of templates.
TEST_F(PrintDeploy, AChartEscapesBraces) {
  ASSERT_EQ(
      run({"--leader-elect", "--leader-elect-identity={{ .Values.image }}", "--format=helm", "--deploy-out", folder_}),
      0)
      << err_;
  EXPECT_THAT(read("templates/deployment.yaml"), HasSubstr(R"("--leader-elect-identity={{ "{{" }} .Values.image }}")"));
}

TEST_F(PrintDeploy, AKustomizationListsItsFiles) {
  ASSERT_EQ(run({"--format=kustomize", "--deploy-out", folder_, "--deploy-image", "host:5000/op:2"}), 0) << err_;
  const json::Value list = json::parse_yaml(read("kustomization.yaml")).value();
  EXPECT_EQ(at(list, "/images"), R"([{"name":"host:5000/op","newTag":"2"}])");
  std::vector<json::Value> made;
  for (const json::Value& file : list.at("resources").as_array()) {
    for (json::Value& one : documents(read(std::string(file.as_string())))) made.push_back(std::move(one));
  }
  std::vector<std::string> there = titles(made);
  std::vector<std::string> wanted = titles(objects({}));
  std::sort(there.begin(), there.end());
  std::sort(wanted.begin(), wanted.end());
  EXPECT_EQ(there, wanted);
}

TEST_F(PrintDeploy, ReplacesItsOwnFilesOnly) {
  const std::vector<std::string> arguments{"--format=kustomize", "--deploy-out", folder_};
  ASSERT_EQ(run(arguments), 0) << err_;
  ASSERT_EQ(run(arguments), 0) << err_;
  std::ofstream(folder_ / "service.yaml") << "mine";
  fs::remove(folder_ / "crds.yaml");
  EXPECT_EQ(run(arguments), 2);
  EXPECT_THAT(err_, HasSubstr("service.yaml exists"));
  EXPECT_EQ(read("service.yaml"), "mine");
  EXPECT_FALSE(fs::exists(folder_ / "crds.yaml")) << "nothing is written";
}

// Helm installs each file in the folder of the templates.
TEST_F(PrintDeploy, RemovesItsFilesThatAreNoLongerPrinted) {
  for (const std::string format : {"helm", "kustomize"}) {
    const fs::path inner = format == "helm" ? "templates" : "";
    const std::vector<std::string> arguments{"--format=" + format, "--deploy-out", folder_};
    std::vector<std::string> more = arguments;
    more.emplace_back("--deploy-service-monitor");
    ASSERT_EQ(run(more), 0) << err_;
    ASSERT_TRUE(fs::exists(folder_ / inner / "service-monitor.yaml"));
    std::ofstream(folder_ / inner / "mine.yaml") << "mine";
    ASSERT_EQ(run(arguments), 0) << err_;
    EXPECT_FALSE(fs::exists(folder_ / inner / "service-monitor.yaml")) << format;
    EXPECT_EQ(read(inner / "mine.yaml"), "mine");
    EXPECT_TRUE(fs::exists(folder_ / "Chart.yaml")) << "of another format";
  }
}

TEST_F(PrintDeploy, NamesTheReasonIfAFileCannotBeWritten) {
  EXPECT_EQ(run({"--deploy-out", "/dev/null/deploy"}), 1);
  EXPECT_THAT(err_, HasSubstr("cannot write /dev/null/deploy/deploy.yaml: Not a directory"));
  fs::create_directories(fs::path(folder_) / "deploy.yaml");
  EXPECT_EQ(run({"--deploy-out", folder_}), 2);
  EXPECT_THAT(err_, HasSubstr("deploy.yaml exists"));
}

TEST_F(PrintDeploy, RefusesWhatCannotRunInAPod) {
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases{
      {{"--listen=:8080"}, "only the pod itself can connect to --listen :8080; use 0.0.0.0:8080"},
      {{"--listen=127.0.0.1:1"}, "only the pod itself can connect to --listen 127.0.0.1:1"},
      {{"--listen=x"}, "--listen"},
      {{"--listen=0.0.0.0:0"}, "a pod needs a fixed port instead of --listen 0.0.0.0:0"},
      {{"--tls-cert-file=/a", "--tls-private-key-file=/b"}, "a pod does not have the file of --tls-cert-file"},
      {{"--state-dir=state"}, "--state-dir state; use an absolute path"},
      {{"--state-dir=/state"}, "--state-dir /state; use an absolute path"},
      {{"--format=jsonnet"}, "yaml, kustomize"},
      {{"--deploy-replicas=-1"}, "--deploy-replicas must not be negative"},
      {{"--deploy-replicas=2"}, "--deploy-replicas 2 requires --leader-elect"},
      {{"--deploy-namespace=a b"}, "--deploy-namespace \"a b\""},
      {{"--deploy-image=a b"}, "--deploy-image \"a b\" must not contain spaces"},
  };
  for (const auto& [arguments, message] : cases) {
    EXPECT_EQ(run(arguments), 2) << arguments[0];
    EXPECT_THAT(err_, HasSubstr(message));
    EXPECT_EQ(out_, "");
  }
}

TEST_F(PrintDeploy, RefusesAVersionThatHelmOrATagCannotHave) {
  for (const char* version : {"dev", "", "1.2.3.4", "1..2", "1.2.3-", "1.2.3-a..b", "main-1"}) {
    EXPECT_EQ(run({"--format=helm", "--deploy-image=op:1"}, {.name = "op", .version = version}), 2) << version;
    EXPECT_THAT(err_, HasSubstr("Helm refuses a chart of version \"" + std::string(version) + "\""));
  }
  for (const char* version : {"1", "v1.2", "1.2.3-rc.1", "1.2.3+git.a-b"}) {
    EXPECT_EQ(run({"--format=helm", "--deploy-image=op:1"}, {.name = "op", .version = version}), 0) << err_;
  }
  for (const char* version : {"", "1.2.3+4", ".1"}) {
    EXPECT_EQ(run({}, {.name = "op", .version = version}), 2) << version;
    EXPECT_THAT(err_, HasSubstr("not a valid tag of the image; set the image with --deploy-image"));
    EXPECT_EQ(run({"--deploy-image=op:1"}, {.name = "op", .version = version}), 0) << err_;
  }
  EXPECT_EQ(run({}, {.name = "op", .version = "dev"}), 0) << err_;
}

}  // namespace
}  // namespace pintle
