// SPDX-License-Identifier: Apache-2.0
#include "test_support.hpp"

#include <algorithm>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <pintle/controller/controller.hpp>
#include <pintle/http/certificates.hpp>
#include <pintle/manager/manager.hpp>
#include <pintle/object/bytes.hpp>
#include <pintle/object/condition.hpp>
#include <pintle/webhook/admission.hpp>

namespace pintle::doctor {
namespace {

struct Greeting {
  static constexpr Type type{"demo.pintle.dev/v1", "Greeting"};
  struct Spec {
    std::string who = "world";
    static constexpr auto fields() { return pintle::fields(field("who", &Spec::who, "Name to greet.")); }
  };
  struct Status {
    std::vector<StatusCondition> conditions{};
    static constexpr auto fields() {
      return pintle::fields(field("conditions", &Status::conditions, "The current conditions."));
    }
  };
  Metadata metadata{};
  Spec spec{};
  Status status{};
};

constexpr const char* operator_objects = R"(
apiVersion: v1
kind: Namespace
metadata: {name: greeter}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: greeter}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: greeter}
subjects: [{kind: ServiceAccount, name: greeter, namespace: greeter}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: greeter, namespace: greeter}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: greeter}
subjects: [{kind: ServiceAccount, name: greeter}]
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: greeter, namespace: greeter, labels: {app.kubernetes.io/name: greeter}}
spec:
  replicas: 1
  selector: {matchLabels: {app.kubernetes.io/name: greeter}}
  template:
    metadata: {labels: {app.kubernetes.io/name: greeter}}
    spec:
      serviceAccountName: greeter
      containers: [{name: greeter, image: "greeter:1"}]
---
apiVersion: v1
kind: Service
metadata: {name: greeter, namespace: greeter}
spec:
  selector: {app.kubernetes.io/name: greeter}
  ports: [{port: 443, targetPort: 9443}]
---
apiVersion: discovery.k8s.io/v1
kind: EndpointSlice
metadata: {name: greeter-1, namespace: greeter, labels: {kubernetes.io/service-name: greeter}}
addressType: IPv4
endpoints: [{addresses: [10.0.0.1], conditions: {ready: true}}]
ports: [{port: 9443}]
)";

constexpr const char* objects_with_status = R"(
apiVersion: v1
kind: Pod
metadata: {name: greeter-x7, namespace: greeter, labels: {app.kubernetes.io/name: greeter}}
spec:
  containers: [{name: greeter, image: "greeter:1"}]
status:
  phase: Running
  conditions: [{type: Ready, status: "True"}]
  containerStatuses: [{name: greeter, image: "greeter:1", imageID: x, ready: true, restartCount: 0}]
---
apiVersion: apiregistration.k8s.io/v1
kind: APIService
metadata: {name: v1beta1.metrics.k8s.io}
spec:
  group: metrics.k8s.io
  version: v1beta1
  groupPriorityMinimum: 100
  versionPriority: 100
  insecureSkipTLSVerify: true
  service: {name: metrics-server, namespace: kube-system}
status:
  conditions: [{type: Available, status: "True", reason: Passed, message: all checks passed}]
---
apiVersion: demo.pintle.dev/v1
kind: Greeting
metadata: {name: hello, namespace: default}
spec: {who: you}
status:
  conditions:
  - {type: Ready, status: "True", reason: Greeted, message: "", lastTransitionTime: "2026-01-01T00:00:00Z"}
)";

}  // namespace

http::Response ServerWithDate::handle(const http::Request& request) {
  http::Response response = inner_.handle(request);
  const auto body = bodies.find(request.target);
  if (body != bodies.end()) response = {.status = 200, .body = body->second};
  const auto time = std::chrono::floor<std::chrono::seconds>(clock_.wall_now() + ahead);
  if (has_date) response.headers.set("Date", fmt::format("{:%a, %d %b %Y %H:%M:%S} GMT", time));
  return response;
}

std::string trust_bundle_until(WallTime end) {
  const auto authority =
      http::make_authority({.common_name = "test", .not_before = end - std::chrono::hours(24 * 900), .not_after = end});
  return Bytes(authority.value().certificate).to_base64();
}

DoctorTest::DoctorTest()
    : transport_(std::make_shared<http::InProcessTransport>(simulation_.executor(), server_)),
      client_(std::make_unique<Client>(
          ClientOptions{.transport = transport_, .cluster = simulation_.user().cluster(), .user_agent = "doctor"})) {}

DoctorTest::~DoctorTest() {
  client_.reset();
  transport_->stop();
}

void DoctorTest::SetUp() {
  const WallTime end = simulation_.executor().wall_now() + std::chrono::hours(24 * 365);
  trust_bundle_ = trust_bundle_until(end);
  add_program();
  ASSERT_TRUE(simulation_.install<Greeting>());
  create_operator();
  create_webhook();
}

// The operator prints what a Manager with these declarations prints.
void DoctorTest::add_program() {
  Manager manager({.name = "greeter",
                   .leader_election = LeaderElectionOptions{},
                   .webhooks = {.listen = ":9443", .service_namespace = "greeter"}});
  manager.add(Controller<Greeting>{.owns = {Type{"v1", "ConfigMap"}},
                                   .reconcile = [](const Greeting&, Context&) -> Outcome { return done; }});
  manager.add(Admission<Greeting>{.validate = [](const Greeting&, const AdmissionContext&) { return admitted(); }});
  crds_ = manager.print_crds().value();
  roles_ = print_rbac(manager.roles());
  webhooks_ = manager.print_webhooks().value();
  programs_.add("greeter", [this](const ProgramCall& call) -> SimulatedPrograms::Run {
    const std::string& flag = call.arguments.back();
    const auto has = [&](const std::string& argument) {
      return std::ranges::find(call.arguments, argument) != call.arguments.end();
    };
    if (has(rejected_flag_)) return {.result = {.status = 2, .errors = "unknown flag"}};
    if (flag == "--print-webhooks" && needs_namespace_ && !has("--webhook-service-namespace=greeter")) {
      return {.result = {.status = 2, .errors = "no namespace"}};
    }
    if (flag == "--version") return {.result = {.output = "greeter 1.0.0 (pintle 0.1.0)\n"}};
    if (flag == "--print-crds") return {.result = {.output = crds_}};
    for (const auto& [other, roles] : roles_by_flag_) {
      if (flag == "--print-rbac" && has(other)) return {.result = {.output = roles}};
    }
    if (flag == "--print-rbac") return {.result = {.output = roles_}};
    if (flag == "--print-webhooks") return {.result = {.output = webhooks_}};
    return {.result = {.status = 2, .errors = "unknown flag"}};
  });
}

void DoctorTest::create_operator() {
  create(operator_objects);
  create(roles_);
  create_with_status(objects_with_status);
  create(fmt::format(R"(
apiVersion: coordination.k8s.io/v1
kind: Lease
metadata: {{name: greeter, namespace: greeter}}
spec: {{holderIdentity: greeter-x7_00000000000000a1, leaseDurationSeconds: 15, renewTime: "{}"}}
)",
                     format_micro_time(simulation_.executor().wall_now())));
}

void DoctorTest::create_webhook() {
  auto configuration = json::parse_yaml(webhooks_).value();
  configuration.at("webhooks").as_array()[0].at("clientConfig").as_object()["caBundle"] = trust_bundle_;
  create(json::print_yaml(configuration));
}

void DoctorTest::create(const std::string& yaml) {
  const auto documents = json::parse_yaml_stream(yaml);
  ASSERT_TRUE(documents) << documents.error().message;
  for (const json::Value& one : *documents) {
    const auto created = simulation_.user().create(one);
    ASSERT_TRUE(created) << created.error().to_string() << "\n" << json::print(one);
  }
}

void DoctorTest::create_with_status(const std::string& yaml) {
  create(yaml);
  const auto documents = json::parse_yaml_stream(yaml);
  for (const json::Value& one : *documents) {
    const Object object(one);
    const json::Value status{{"status", object["/status"].to_value()}};
    const auto patched =
        simulation_.user().patch(object.group_version_kind(), object.key(), status, {.subresource = "status"});
    ASSERT_TRUE(patched) << patched.error().to_string();
  }
}

void DoctorTest::patch(const GroupVersionKind& kind, const ObjectKey& key, const std::string& yaml,
                       const std::string& subresource) {
  const auto patched =
      simulation_.user().patch(kind, key, json::parse_yaml(yaml).value(), {.subresource = subresource});
  ASSERT_TRUE(patched) << patched.error().to_string();
}

void DoctorTest::remove(const GroupVersionKind& kind, const ObjectKey& key) {
  const auto removed = simulation_.user().remove(kind, key);
  ASSERT_TRUE(removed && *removed) << kind.to_string() << " " << key.to_string();
}

void DoctorTest::reject(const std::string& target_prefix, int status, const std::string& reason,
                        const std::string& method) {
  transport_->set_faults({http::Fault{.effect = http::ErrorResponse{.status = status, .reason = reason},
                                      .only = http::requests(method, target_prefix)}});
}

std::vector<Line> DoctorTest::diagnose_all() {
  const auto lines = diagnose(*client_, programs_, options_);
  EXPECT_TRUE(lines) << lines.error().to_string();
  return lines ? *lines : std::vector<Line>();
}

std::vector<Line> DoctorTest::problems() {
  std::vector<Line> lines = diagnose_all();
  std::erase_if(lines, [](const Line& line) { return line.state == LineState::ok; });
  return lines;
}

}  // namespace pintle::doctor
