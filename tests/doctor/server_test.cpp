// SPDX-License-Identifier: Apache-2.0
// The checks server, version, clock and api-services, and the limits of a run.
#include <set>

#include <pintle/http/transport.hpp>

#include "doctor/report.hpp"
#include "test_support.hpp"

namespace pintle::doctor {
namespace {

using ::testing::AllOf;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::IsEmpty;

using HealthyCluster = DoctorTest;
using BrokenServer = DoctorTest;
using BrokenApiService = DoctorTest;
using LimitsOfDoctor = DoctorTest;

TEST_F(HealthyCluster, HasOnlyLinesThatAreOk) {
  const std::vector<Line> lines = diagnose_all();
  EXPECT_THAT(lines, Each(Field(&Line::state, ok)));
  EXPECT_THAT(lines, Each(Field(&Line::action, "")));
  EXPECT_EQ(exit_code_of(lines), 0);
  std::set<std::string> checks;
  for (const Line& line : lines) checks.insert(line.check);
  EXPECT_THAT(checks, ElementsAre("api-services", "clock", "crds", "finalizers", "hot-keys", "leases", "operator",
                                  "ready", "roles", "server", "version", "webhooks"));
}

TEST_F(HealthyCluster, WithoutAProgramSkipsOnlyTheComparisons) {
  options_.command.clear();
  EXPECT_THAT(problems(), ElementsAre(IsLine(skip, "roles", "roles", "no program is given", "-- PROGRAM"),
                                      IsLine(skip, "operator", "Deployment", "no program is given", "-- PROGRAM")));
}

TEST_F(HealthyCluster, IsNotWrittenTo) {
  const std::uint64_t before = simulation_.server().writes();
  (void)diagnose_all();
  EXPECT_EQ(simulation_.server().writes(), before);
}

TEST_F(HealthyCluster, NoSecretIsRead) {
  int secrets = 0;
  transport_->set_faults(
      {http::Fault{.effect = http::SplitBody{.bytes = 1'000'000}, .only = [&](const http::Request& request) {
                     secrets += request.target.find("/secrets") != std::string::npos ? 1 : 0;
                     return false;
                   }}});
  (void)diagnose_all();
  EXPECT_EQ(secrets, 0);
}

TEST_F(BrokenServer, ThatCannotBeReached) {
  transport_->set_faults({http::Fault{.effect = http::Drop{}}});
  const std::vector<Line> lines = diagnose_all();
  EXPECT_THAT(lines, ElementsAre(IsLine(failed, "server", "localhost", "cannot be reached", "--kubeconfig")));
  EXPECT_EQ(exit_code_of(lines), 1);
}

TEST_F(BrokenServer, ThatRejectsTheCredentials) {
  reject("", 401, "Unauthorized");
  EXPECT_THAT(diagnose_all(),
              ElementsAre(IsLine(failed, "server", "localhost", "credentials are rejected", "renew the token")));
}

// Every exchange ends as if the certificate of the server were not trusted.
class UntrustedTransport final : public http::ForwardingTransport {
 public:
  using ForwardingTransport::ForwardingTransport;
  ExchangeId start(http::Request, std::shared_ptr<http::ExchangeHandler> handler) override {
    post([handler] {
      Error error = make_error(ErrorCode::unreachable, "certificate verify failed");
      error.reason = http::untrusted_certificate;
      handler->on_end(pintle::fail(error));
    });
    return 1;
  }
};

TEST_F(BrokenServer, WhoseCertificateIsNotTrusted) {
  client_ = std::make_unique<Client>(ClientOptions{.transport = std::make_shared<UntrustedTransport>(transport_),
                                                   .cluster = simulation_.user().cluster()});
  EXPECT_THAT(diagnose_all(), ElementsAre(IsLine(failed, "server", "localhost", "certificate verify failed",
                                                 "certificate-authority-data")));
}

TEST_F(BrokenServer, ThatIsNoKubernetes) {
  server_.bodies["/version"] = "<html>welcome</html>";
  EXPECT_THAT(diagnose_all(), ElementsAre(IsLine(failed, "server", "localhost", "is not a Kubernetes API server",
                                                 "correct the address")));
}

TEST_F(BrokenServer, ThatIsTooOld) {
  server_.bodies["/version"] = R"({"major": "1", "minor": "21+", "gitVersion": "v1.21.3"})";
  EXPECT_THAT(problems(), ElementsAre(IsLine(failed, "version", "v1.21.3", "no stable server-side apply", "upgrade")));
  server_.bodies["/version"] = R"({"major": "1", "minor": "29", "gitVersion": "v1.29.0"})";
  EXPECT_THAT(problems(), ElementsAre(IsLine(warn, "version", "v1.29.0", "is older than 1.30", "upgrade")));
}

TEST_F(BrokenServer, WhoseClockDiffers) {
  server_.ahead = -90s;
  const auto skewed = problems();
  ASSERT_FALSE(skewed.empty());
  EXPECT_THAT(skewed.front(), IsLine(failed, "clock", "this machine", "1m30s ahead of the clock", "NTP"));

  server_.ahead = 5s;
  EXPECT_THAT(problems(), ElementsAre(IsLine(warn, "clock", "this machine", "behind the clock of the server", "NTP")));

  server_.has_date = false;
  EXPECT_THAT(problems(), ElementsAre(IsLine(skip, "clock", "this machine", "no header Date", "date -u")));
}

TEST_F(BrokenApiService, WhoseServiceIsDown) {
  patch(
      {"apiregistration.k8s.io/v1", "APIService"}, {.name = "v1beta1.metrics.k8s.io"},
      R"({status: {conditions: [{type: Available, status: "False", reason: MissingEndpoints, message: no addresses}]}})",
      "status");
  EXPECT_THAT(problems(), ElementsAre(IsLine(failed, "api-services", "v1beta1.metrics.k8s.io",
                                             "MissingEndpoints: no addresses", "kube-system/metrics-server")));
}

TEST_F(LimitsOfDoctor, AMissingPermissionIsNamedAndNeverOk) {
  reject("/api", 403, "Forbidden");
  const std::vector<Line> lines = diagnose_all();
  EXPECT_THAT(lines, ::testing::Contains(IsLine(skip, "leases", "Leases", "cannot be read",
                                                R"(resources: ["leases"], verbs: ["list"]})")));
  for (const Line& line : lines) {
    const bool is_about_version = line.check == "server" || line.check == "version" || line.check == "clock";
    EXPECT_EQ(line.state == ok, is_about_version) << ::testing::PrintToString(line);
  }
  EXPECT_EQ(exit_code_of(lines), 0);
}

TEST_F(LimitsOfDoctor, ASlowServerEndsTheRunInTime) {
  transport_->set_faults(
      {http::Fault{.effect = http::Delay{.duration = 3s}, .only = http::requests("GET", "/apis/demo.pintle.dev")}});
  options_.timeout = 5s;
  const Instant begin = simulation_.executor().now();
  const std::vector<Line> lines = problems();
  EXPECT_LE(simulation_.executor().now() - begin, 6s);
  EXPECT_THAT(lines,
              ::testing::Contains(IsLine(failed, "ready", "Greeting", "time of --timeout is over", "--timeout")));
  EXPECT_EQ(exit_code_of(lines), 1);
}

TEST_F(LimitsOfDoctor, ASilentServerIsAFailure) {
  transport_->set_faults({http::Fault{.effect = http::Delay{.duration = 1h}}});
  options_.timeout = 5s;
  EXPECT_THAT(problems(), ElementsAre(IsLine(failed, "server", "localhost", "--timeout", "--timeout")));
  options_.timeout = 60s;
  EXPECT_THAT(problems(), ElementsAre(IsLine(failed, "server", "localhost", "within 10 s", "load of the API server")));
}

TEST_F(LimitsOfDoctor, AProgramThatIsNoOperatorIsInvalid) {
  options_.command = {"missing"};
  EXPECT_THAT(diagnose(*client_, programs_, options_).error(),
              AllOf(Field(&Error::code, ErrorCode::invalid),
                    Field(&Error::message, ::testing::HasSubstr("cannot run missing --version"))));
  programs_.add("true", [](const ProgramCall&) -> SimulatedPrograms::Run { return {.result = {.output = "- ["}}; });
  options_.command = {"true", "x"};
  EXPECT_THAT(diagnose(*client_, programs_, options_).error().message,
              ::testing::HasSubstr("--print-crds is not YAML"));
  programs_.add("echo", [](const ProgramCall& call) -> SimulatedPrograms::Run {
    return {.result = {.output = call.arguments.back() + "\n"}};
  });
  options_.command = {"echo", "x"};
  EXPECT_THAT(diagnose(*client_, programs_, options_).error().message,
              ::testing::HasSubstr("--print-crds contains something else than objects"));
  programs_.add("false", [](const ProgramCall&) -> SimulatedPrograms::Run { return {.result = {.status = 1}}; });
  options_.command = {"false"};
  EXPECT_THAT(diagnose(*client_, programs_, options_).error().message, ::testing::HasSubstr("exit status 1"));
  programs_.add("quiet", [](const ProgramCall&) -> SimulatedPrograms::Run { return {}; });
  options_.command = {"quiet"};
  EXPECT_THAT(diagnose(*client_, programs_, options_).error().message, ::testing::HasSubstr("prints no role"));
}

TEST_F(LimitsOfDoctor, AProgramWithoutArgumentsHasThoseOfItsDeployment) {
  patch(deployment_type, {"greeter", "greeter"},
        R"({spec: {template: {spec: {containers: [{name: greeter, image: "greeter:1", args: [--no-roles]}]}}}})");
  options_.command = {"greeter"};
  roles_by_flag_["--no-roles"] = "---\nkind: ClusterRole\nmetadata: {name: greeter}\n";
  remove({"rbac.authorization.k8s.io/v1", "ClusterRoleBinding"}, {.name = "greeter"});
  EXPECT_THAT(problems(), IsEmpty());

  options_.command = {"greeter", "--leader-elect"};
  EXPECT_THAT(problems(), ElementsAre(IsLine(failed, "roles", "greeter/greeter", "of ClusterRole greeter", "kubectl")));

  options_.command = {"greeter"};
  rejected_flag_ = "--no-roles";
  EXPECT_THAT(problems(), ElementsAre(IsLine(failed, "roles", "greeter/greeter", "of ClusterRole greeter", "kubectl")));
}

TEST_F(LimitsOfDoctor, AProgramHasTheNamespaceOfItsDeployment) {
  needs_namespace_ = true;
  EXPECT_THAT(problems(), IsEmpty());
  rejected_flag_ = "--leader-elect-resource-namespace=greeter";
  EXPECT_THAT(problems(), IsEmpty());

  remove(deployment_type, {"greeter", "greeter"});
  EXPECT_THAT(problems(),
              ::testing::Contains(IsLine(skip, "webhooks", "webhooks of the program", "exit status 2: no namespace",
                                         "add the flags of the webhooks after PROGRAM")));
  options_.namespace_ = "greeter";
  EXPECT_THAT(problems(), ElementsAre(IsLine(skip, "operator", "Deployment", "no Deployment", "--print-deploy")));
}

}  // namespace
}  // namespace pintle::doctor
