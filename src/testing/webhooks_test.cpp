// SPDX-License-Identifier: Apache-2.0
// Webhooks in a simulation: the embedded server calls those of the operator, without sockets and at virtual time.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <unistd.h>

#include <pintle/http/certificates.hpp>
#include <pintle/object/bytes.hpp>
#include <pintle/testing/recording_log_sink.hpp>
#include <pintle/testing/simulation.hpp>
#include <pintle/webhook/admission.hpp>

#include "webhook/test_support.hpp"

namespace pintle::testkit {
namespace {

using namespace std::chrono_literals;

ManagerOptions operator_options() {
  return {.name = "doors", .log_level = LogLevel::off, .webhooks = {.listen = "0.0.0.0:9443"}};
}

Controller<Door> door_controller() {
  return {.reconcile = [](const Door&, Context&) -> Outcome { return done; }};
}

Admission<Door> door_admission() {
  return {.defaults =
              [](Door& door) {
                if (door.spec.colour.empty()) door.spec.colour = "grey";
              },
          .validate =
              [](const Door& door, const AdmissionContext&) {
                return door.spec.dimensions.empty() ? denied("a door needs dimensions") : admitted();
              }};
}

class WebhooksInASimulation : public testing::Test {
 protected:
  void start(Instance& instance) {
    instance.start();
    ASSERT_TRUE(simulation_.wait_until([&] { return instance.manager().is_ready(); }));
    ASSERT_TRUE(instance.started()) << instance.started().error().to_string();
  }
  Result<Door> create(const std::string& name, std::string dimensions) {
    return simulation_.user().create(
        Door{.metadata = {.name = name, .namespace_ = "shop"}, .spec = {.dimensions = std::move(dimensions)}});
  }
  void SetUp() override {
    ASSERT_TRUE(simulation_.user().create(
        json::Value{{"apiVersion", "v1"}, {"kind", "Namespace"}, {"metadata", {{"name", "shop"}}}}));
  }
  // The authorities in the two configurations and in the CRD.
  std::vector<std::string> bundles() {
    std::vector<std::string> all;
    const auto add = [&](std::string_view resource, const char* pointer) {
      for (const Object& one : simulation_.server().objects(resource)) {
        all.push_back(Bytes::from_base64(one[pointer].text()).value().data);
      }
    };
    add("mutatingwebhookconfigurations.admissionregistration.k8s.io", "/webhooks/0/clientConfig/caBundle");
    add("validatingwebhookconfigurations.admissionregistration.k8s.io", "/webhooks/0/clientConfig/caBundle");
    add("customresourcedefinitions.apiextensions.k8s.io", "/spec/conversion/webhook/clientConfig/caBundle");
    return all;
  }
  static void add_all(Manager& manager) {
    manager.add(door_controller());
    manager.add(door_admission());
  }

  Simulation simulation_{{.seed = 3}};
};

// Webhooks do not need the lease, so a function that does not end must not delay the next leader.
TEST_F(WebhooksInASimulation, AFunctionThatIgnoresItsStopTokenIsNamedAndDoesNotKeepTheLease) {
  const auto log = std::make_shared<RecordingLogSink>();
  bool running = false;
  ManagerOptions options = operator_options();
  options.leader_election = LeaderElectionOptions{.identity = "a"};
  options.log_level = LogLevel::info;
  options.log_sink = log;
  Instance instance(simulation_, options, [&](Manager& manager) {
    manager.add(door_controller());
    manager.add(Admission<Door>{.validate = [&](const Door&, const AdmissionContext&) {
      running = true;
      simulation_.executor().sleep_for(10min);
      running = false;
      return admitted();
    }});
  });
  start(instance);
  ASSERT_TRUE(simulation_.wait_until([&] { return instance.manager().is_leading(); }));
  const auto holder = [&] {
    return std::string(simulation_.server().objects("leases.coordination.k8s.io").at(0)["/spec/holderIdentity"].text());
  };
  Thread creator = simulation_.executor().spawn({.name = "creator"}, [&] { (void)create("a", "80x200"); });
  ASSERT_TRUE(simulation_.wait_until([&] { return running; }));

  Thread stopper = simulation_.executor().spawn({.name = "stopper"}, [&] { instance.manager().stop(20s); });
  simulation_.executor().sleep_for(1s);
  EXPECT_EQ(holder(), "");
  simulation_.executor().sleep_for(14s);
  EXPECT_FALSE(log->has("ignores its stop token"));
  simulation_.executor().sleep_for(10s);

  EXPECT_TRUE(running);
  EXPECT_TRUE(log->has("a webhook ignores its stop token and still runs webhook=/validate/door"));
  const auto ended = instance.manager().wait();
  ASSERT_FALSE(ended);
  EXPECT_NE(ended.error().message.find("/validate/door"), std::string::npos) << ended.error().message;
  stopper.join();
  EXPECT_FALSE(running);
  creator.join();
}

TEST_F(WebhooksInASimulation, SetDefaultsAndDeny) {
  Instance instance(simulation_, operator_options(), add_all);
  start(instance);

  const auto made = create("a", "80x200");
  ASSERT_TRUE(made) << made.error().to_string();
  EXPECT_EQ(made->spec.colour, "grey");
  const auto refused = create("b", "");
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("a door needs dimensions"), std::string::npos) << refused.error().message;
}

TEST_F(WebhooksInASimulation, ConvertBetweenTheVersions) {
  Instance instance(simulation_, operator_options(), add_all);
  start(instance);
  ASSERT_TRUE(create("a", "80x200"));

  const ObjectKey key{.namespace_ = "shop", .name = "a"};
  const auto old = simulation_.user().get<OldDoor>(key);
  ASSERT_TRUE(old) << old.error().to_string();
  EXPECT_EQ(old->spec.size, "80x200");
  OldDoor changed = *old;
  changed.spec.size = "90x200";
  const auto written = simulation_.user().update(*old, changed);
  ASSERT_TRUE(written) << written.error().to_string();
  const auto stored = simulation_.user().get<Door>(key);
  ASSERT_TRUE(stored) << stored.error().to_string();
  EXPECT_EQ(stored->spec.dimensions, "90x200");
  EXPECT_EQ(stored->spec.colour, "grey") << "kept, although the old version has no colour";
}

constexpr std::string_view mutating = "mutatingwebhookconfigurations.admissionregistration.k8s.io";
constexpr std::string_view validating = "validatingwebhookconfigurations.admissionregistration.k8s.io";

// A later release has no `validate` any more.
void add_defaults_only(Manager& manager) {
  manager.add(door_controller());
  Admission<Door> admission = door_admission();
  admission.validate = nullptr;
  manager.add(std::move(admission));
}

class UndeclaredWebhooksTest : public WebhooksInASimulation {
 protected:
  void run_first_release() {
    Instance first(simulation_, operator_options(), add_all);
    start(first);
    ASSERT_FALSE(create("a", ""));
    first.stop();
  }
  ManagerOptions next_release(WebhookPolicy policy) {
    ManagerOptions options = operator_options();
    options.log_level = LogLevel::info;
    options.log_sink = log_;
    options.webhooks.install = policy;
    return options;
  }

  const std::shared_ptr<RecordingLogSink> log_ = std::make_shared<RecordingLogSink>();
};

TEST_F(UndeclaredWebhooksTest, AreRemovedByAnUpgrade) {
  run_first_release();
  Instance next(simulation_, next_release(WebhookPolicy::upgrade), add_defaults_only);
  start(next);
  EXPECT_TRUE(simulation_.server().objects(validating).empty());
  EXPECT_EQ(simulation_.server().objects(mutating).size(), 1U);
  const auto made = create("b", "");
  ASSERT_TRUE(made) << made.error().to_string();
  EXPECT_EQ(made->spec.colour, "grey");
}

TEST_F(UndeclaredWebhooksTest, AreRemovedByAnUpgradeWithoutAnyAdmission) {
  run_first_release();
  Instance next(simulation_, next_release(WebhookPolicy::upgrade),
                [](Manager& manager) { manager.add(door_controller()); });
  start(next);
  EXPECT_TRUE(simulation_.server().objects(validating).empty());
  EXPECT_TRUE(simulation_.server().objects(mutating).empty());
  const auto made = create("b", "");
  EXPECT_TRUE(made) << made.error().to_string();
}

TEST_F(UndeclaredWebhooksTest, AreReportedWithoutAnUpgrade) {
  run_first_release();
  Instance next(simulation_, next_release(WebhookPolicy::if_missing), add_defaults_only);
  start(next);
  EXPECT_EQ(simulation_.server().objects(validating).size(), 1U);
  EXPECT_TRUE(log_->has("configuration=ValidatingWebhookConfiguration doors webhooks="));
  for (const char* name : {"b", "c"}) EXPECT_FALSE(create(name, "80x200")) << "the webhook has no path";
  EXPECT_EQ(log_->count("path=/validate/door"), 1U);
}

// Files in a folder, as another program renews them.
class CertificateFolder {
 public:
  explicit CertificateFolder(std::string host = "doors.default.svc") : host_(std::move(host)) {
    std::filesystem::create_directories(folder_);
  }
  ~CertificateFolder() { std::filesystem::remove_all(folder_); }
  CertificateFolder(const CertificateFolder&) = delete;
  CertificateFolder& operator=(const CertificateFolder&) = delete;

  // Replaces the files by those of a new authority, and returns the authority.
  std::string renew(WallTime now) const {
    const auto made = http::make_self_signed_key_pair("test", host_, now).value();
    std::ofstream(file("tls.crt")) << made.server.certificate;
    std::ofstream(file("tls.key")) << made.server.key;
    std::ofstream(file("ca.crt")) << made.authority;
    return made.authority;
  }
  [[nodiscard]] std::string file(const char* name) const { return folder_ / name; }

 private:
  const std::string host_;
  const std::filesystem::path folder_ =
      std::filesystem::path(testing::TempDir()) / ("pintle_webhooks_test_" + std::to_string(::getpid()));
};

TEST_F(WebhooksInASimulation, FollowTheAuthoritiesOfAFile) {
  const CertificateFolder folder;
  ManagerOptions options = operator_options();
  options.webhooks.certificate_file = folder.file("tls.crt");
  options.webhooks.key_file = folder.file("tls.key");
  options.webhooks.ca_file = folder.file("ca.crt");
  const std::string first = folder.renew(simulation_.executor().wall_now());
  Instance instance(simulation_, options, add_all);
  start(instance);
  EXPECT_EQ(bundles(), std::vector<std::string>(3, first));
  ASSERT_TRUE(create("a", "80x200"));

  const std::string second = folder.renew(simulation_.executor().wall_now());
  options.crds = CrdPolicy::upgrade;
  options.webhooks.install = WebhookPolicy::upgrade;
  Instance late(simulation_, options, add_all);
  for (int i = 0; i < 100; ++i) {
    simulation_.executor().sleep_for(1s);
    if (i == 10) start(late);
    const auto made = create("b" + std::to_string(i), "80x200");
    EXPECT_TRUE(made) << i << ": " << made.error().to_string();
    EXPECT_TRUE(simulation_.user().get<OldDoor>({.namespace_ = "shop", .name = "a"})) << i;
    for (const std::string& bundle : bundles()) {
      EXPECT_NE(bundle.find(first), std::string::npos) << i << ": other instances may serve the previous certificate";
    }
  }
  for (const std::string& bundle : bundles()) EXPECT_NE(bundle.find(second), std::string::npos);
  simulation_.executor().sleep_for(1h);
  EXPECT_EQ(bundles(), std::vector<std::string>(3, second));
  EXPECT_TRUE(create("c", "80x200"));
}

// The CRD of another cluster, whose API server reaches the operator by its URL.
class WebhooksOfAnotherCluster : public WebhooksInASimulation {
 protected:
  void SetUp() override {
    WebhooksInASimulation::SetUp();
    ASSERT_TRUE(west_.user().create(
        json::Value{{"apiVersion", "v1"}, {"kind", "Namespace"}, {"metadata", {{"name", "shop"}}}}));
    first_ = renew();
    ManagerOptions options = operator_options();
    options.clusters = {{.name = "west", .address = west_.address()}};
    options.log_level = LogLevel::info;
    options.log_sink = log_;
    options.webhooks.certificate_file = folder_.file("tls.crt");
    options.webhooks.key_file = folder_.file("tls.key");
    options.webhooks.ca_file = folder_.file("ca.crt");
    options.webhooks.url = "https://10.0.0.1:9443";
    instance_.emplace(simulation_, std::move(options), [](Manager& manager) {
      Controller<Door> controller = door_controller();
      controller.cluster = "west";
      manager.add(std::move(controller));
    });
    start(*instance_);
    ASSERT_EQ(bundle(), first_);
    ASSERT_EQ(certificates_used(), 1U);
    ASSERT_TRUE(
        west_.user().create(Door{.metadata = {.name = "a", .namespace_ = "shop"}, .spec = {.dimensions = "80x200"}}));
  }
  void TearDown() override { instance_.reset(); }

  std::string renew() { return folder_.renew(simulation_.executor().wall_now()); }
  void let_pass(Duration time) { simulation_.executor().sleep_for(time); }
  std::string bundle() {
    const auto there = west_.server().objects("customresourcedefinitions.apiextensions.k8s.io");
    return Bytes::from_base64(there.at(0)["/spec/conversion/webhook/clientConfig/caBundle"].text()).value().data;
  }
  std::size_t certificates_used() const { return log_->count("a new certificate of the webhooks is in use"); }
  // Whether the API server of the other cluster can convert an object.
  bool converts() { return west_.user().get<OldDoor>({.namespace_ = "shop", .name = "a"}).has_value(); }

  SimulatedCluster& west_ = simulation_.add_cluster("west");
  const CertificateFolder folder_{"10.0.0.1"};
  const std::shared_ptr<RecordingLogSink> log_ = std::make_shared<RecordingLogSink>();
  std::string first_;
  std::optional<Instance> instance_;
};

TEST_F(WebhooksOfAnotherCluster, FollowTheAuthoritiesOfAFile) {
  ASSERT_TRUE(converts());
  const std::string second = renew();
  for (int i = 0; i < 60; ++i) {
    let_pass(1s);
    EXPECT_TRUE(converts()) << i;
    if (certificates_used() == 1) continue;
    EXPECT_NE(bundle().find(second), std::string::npos) << "it is trusted before it is used";
    EXPECT_GE(i, 29) << "and for some time";
  }
  EXPECT_EQ(certificates_used(), 2U);
  let_pass(70min);
  EXPECT_EQ(bundle(), second);
  EXPECT_TRUE(converts());
}

TEST_F(WebhooksOfAnotherCluster, DelayACertificateForALimitedTimeIfItCannotBeReached) {
  instance_->transport().set_faults({{.effect = http::Drop{}, .only = [](const http::Request& request) {
                                        return request.endpoint && request.endpoint->host == "west";
                                      }}});
  let_pass(1min);
  const std::string second = renew();
  let_pass(5min);
  EXPECT_EQ(certificates_used(), 1U);
  EXPECT_TRUE(converts()) << "the cluster can reach the operator";
  let_pass(10min);
  EXPECT_EQ(certificates_used(), 2U);
  const std::size_t warnings = log_->count("cannot check the authorities of the webhooks in another cluster");
  EXPECT_GE(warnings, 1U);
  EXPECT_LE(warnings, 3U) << "not one for each attempt";
  EXPECT_EQ(bundle(), first_);

  instance_->transport().set_faults({});
  let_pass(2min);
  EXPECT_NE(bundle().find(second), std::string::npos);
  EXPECT_TRUE(converts());
}

// The restored CRD has the current authorities from the beginning, not after the next check of the authorities.
TEST_F(WebhooksInASimulation, RestoreADeletedCrdWithTheCurrentAuthorities) {
  const CertificateFolder folder;
  ManagerOptions options = operator_options();
  options.webhooks.certificate_file = folder.file("tls.crt");
  options.webhooks.key_file = folder.file("tls.key");
  options.webhooks.ca_file = folder.file("ca.crt");
  (void)folder.renew(simulation_.executor().wall_now());
  Instance instance(simulation_, options, add_all);
  start(instance);
  const std::string current = folder.renew(simulation_.executor().wall_now());
  simulation_.executor().sleep_for(70min);
  ASSERT_EQ(bundles(), std::vector<std::string>(3, current));

  const auto uid = [&] {
    const auto crds = simulation_.server().objects("customresourcedefinitions.apiextensions.k8s.io");
    return crds.empty() ? std::string() : std::string(crds[0].uid());
  };
  const std::string deleted = uid();
  ASSERT_TRUE(simulation_.user().remove({"apiextensions.k8s.io/v1", "CustomResourceDefinition"},
                                        {.name = std::string(door_crd)}));
  ASSERT_TRUE(simulation_.wait_until([&] { return !uid().empty() && uid() != deleted; }));
  EXPECT_EQ(bundles(), std::vector<std::string>(3, current));
  ASSERT_TRUE(simulation_.wait_until([&] { return create("a", "80x200").has_value(); }));
  const auto old = simulation_.user().get<OldDoor>({.namespace_ = "shop", .name = "a"});
  ASSERT_TRUE(old) << old.error().to_string();
  EXPECT_EQ(old->spec.size, "80x200");
}

TEST_F(WebhooksInASimulation, AFailingWebhookDeniesByDefault) {
  Instance instance(simulation_, operator_options(), add_all);
  start(instance);

  simulation_.network().set_faults({{.effect = http::ErrorResponse{.status = 503}}});
  const auto refused = create("a", "80x200");
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("failed calling webhook"), std::string::npos) << refused.error().message;
  EXPECT_EQ(simulation_.network().injected_faults(), 1U) << "the validating webhook is not called after the failure";
  EXPECT_FALSE(simulation_.user().get<Door>({.namespace_ = "shop", .name = "a"}));

  simulation_.network().set_faults({});
  const auto made = create("a", "80x200");
  ASSERT_TRUE(made) << made.error().to_string();
  EXPECT_EQ(made->spec.colour, "grey");
}

TEST_F(WebhooksInASimulation, AFailingWebhookAdmitsIfItsPolicyIsIgnore) {
  Instance instance(simulation_, operator_options(), [](Manager& manager) {
    manager.add(door_controller());
    Admission<Door> lenient = door_admission();
    lenient.failure_policy = FailurePolicy::ignore;
    manager.add(std::move(lenient));
  });
  start(instance);

  simulation_.network().set_faults({{.effect = http::ErrorResponse{.status = 503}}});
  const auto unchecked = create("a", "");
  ASSERT_TRUE(unchecked) << unchecked.error().to_string();
  EXPECT_EQ(unchecked->spec.colour, "") << "no default";
  EXPECT_EQ(simulation_.network().injected_faults(), 2U) << "of the mutating and of the validating webhook";

  simulation_.network().set_faults({});
  const auto refused = create("b", "");
  ASSERT_FALSE(refused) << "the policy applies to failures only";
  EXPECT_NE(refused.error().message.find("a door needs dimensions"), std::string::npos) << refused.error().message;
}

TEST_F(WebhooksInASimulation, AnotherInstanceServesAfterACrash) {
  ManagerOptions options = operator_options();
  options.leader_election.emplace();
  int calls_of_first = 0;
  int calls_of_second = 0;
  const auto counting = [](int& calls) {
    return [&calls](Manager& manager) {
      manager.add(door_controller());
      Admission<Door> admission = door_admission();
      admission.defaults = [](Door& door) { door.spec.colour = "grey"; };
      admission.validate = [&calls](const Door&, const AdmissionContext&) {
        ++calls;
        return denied("no more doors");
      };
      manager.add(std::move(admission));
    };
  };
  Instance first(simulation_, options, counting(calls_of_first));
  Instance second(simulation_, options, counting(calls_of_second));
  start(first);
  start(second);
  const auto expect_denials = [&](int count) {
    for (int i = 0; i < count; ++i) {
      const auto refused = create("a", "80x200");
      ASSERT_FALSE(refused);
      ASSERT_NE(refused.error().message.find("no more doors"), std::string::npos) << refused.error().message;
    }
  };
  ASSERT_TRUE(simulation_.wait_until([&] { return first.manager().is_leading(); }));
  expect_denials(20);
  EXPECT_GT(calls_of_first, 0);
  EXPECT_GT(calls_of_second, 0) << "instances without the lease serve, too";
  EXPECT_EQ(calls_of_first + calls_of_second, 20);

  first.crash();
  calls_of_first = 0;
  calls_of_second = 0;
  ASSERT_FALSE(second.manager().is_leading());
  expect_denials(20);
  ASSERT_TRUE(simulation_.wait_until([&] { return second.manager().is_leading(); }));
  expect_denials(20);
  EXPECT_EQ(calls_of_first, 0);
  EXPECT_EQ(calls_of_second, 40);

  second.stop();
  const auto refused = create("a", "80x200");
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("service \"doors\" not found"), std::string::npos) << refused.error().message;

  first.start();
  ASSERT_TRUE(simulation_.wait_until([&] { return first.manager().is_ready(); }));
  expect_denials(20);
  EXPECT_EQ(calls_of_first, 20);
  EXPECT_EQ(calls_of_second, 40);
}

// Two instances share the calls at random.
TEST_F(WebhooksInASimulation, TheSameSeedGivesTheSameRun) {
  const auto run = [](std::uint64_t seed) {
    Simulation simulation({.seed = seed});
    std::string log;
    const auto add_logging = [&log](const std::string& name) {
      return [&log, name](Manager& manager) {
        manager.add(door_controller());
        Admission<Door> admission = door_admission();
        admission.validate = [&log, name](const Door& door, const AdmissionContext&) {
          log += door.metadata.name + " " + name + "\n";
          return admitted();
        };
        manager.add(std::move(admission));
      };
    };
    Instance first(simulation, operator_options(), add_logging("first"));
    Instance second(simulation, operator_options(), add_logging("second"));
    for (Instance* one : {&first, &second}) {
      one->start();
      EXPECT_TRUE(simulation.wait_until([&] { return one->manager().is_ready(); }));
    }
    EXPECT_TRUE(simulation.user().create(
        json::Value{{"apiVersion", "v1"}, {"kind", "Namespace"}, {"metadata", {{"name", "shop"}}}}));
    for (const char* name : {"a", "b", "c", "d", "e", "f", "g", "h"}) {
      EXPECT_TRUE(simulation.user().create(Door{.metadata = {.name = name, .namespace_ = "shop"}}));
    }
    simulation.executor().sleep_for(1min);
    EXPECT_EQ(std::count(log.begin(), log.end(), '\n'), 8) << log;
    return log + std::to_string(simulation.executor().steps()) + " steps, " +
           std::to_string(simulation.server().writes()) + " writes\n" +
           "next: " + std::to_string(simulation.executor().random());
  };
  std::set<std::string> runs;
  for (std::uint64_t seed = 11; seed <= 14; ++seed) {
    const std::string first = run(seed);
    EXPECT_EQ(first, run(seed));
    runs.insert(first.substr(0, first.find("next")));
  }
  EXPECT_EQ(runs.size(), 4U) << "other seeds give other runs";
}

}  // namespace
}  // namespace pintle::testkit
