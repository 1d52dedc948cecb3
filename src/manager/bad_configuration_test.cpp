// SPDX-License-Identifier: Apache-2.0
// Each wrong configuration gives one message that names the mistake, its place, and the remedy. The messages are in
// tests/data/bad_configuration.txt; PINTLE_UPDATE_GOLDEN=1 writes that file again.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <unistd.h>

#include <pintle/base/schedule.hpp>
#include <pintle/manager/daemon.hpp>

#include "controller/test_support.hpp"

namespace pintle {
namespace {

using namespace std::chrono_literals;
namespace fs = std::filesystem;

constexpr const char* golden_file = "tests/data/bad_configuration.txt";

Outcome nothing(const Note&, Context&) { return done; }

// One operator with its mistakes.
struct Mistake {
  std::string name{};
  std::vector<std::string> arguments{};
  std::vector<std::string> environment{};
  std::string config{};      // the text of --config
  std::string kubeconfig{};  // the text of --kubeconfig
  std::function<void(ManagerOptions&)> options{};
  Controller<Note> controller{.reconcile = nothing};
  std::function<void(Manager&)> add{};  // default: adds the controller
};

class BadConfiguration : public ::testing::Test {
 protected:
  void SetUp() override { fs::create_directories(folder_); }
  void TearDown() override { fs::remove_all(folder_); }

  std::string write(const std::string& name, const std::string& text) {
    std::ofstream(folder_ / name) << text;
    return folder_ / name;
  }
  // Returns the message of the start; the folder of the test is shown as DIR.
  std::string message_of(Mistake mistake) {
    std::vector<std::string> arguments{"operator"};
    if (!mistake.config.empty()) {
      arguments.insert(arguments.end(), {"--config", write("config.yaml", mistake.config)});
    }
    if (!mistake.kubeconfig.empty()) {
      arguments.insert(arguments.end(), {"--kubeconfig", write("kubeconfig", mistake.kubeconfig)});
    }
    for (std::string& one : mistake.arguments) arguments.push_back(std::move(one));
    std::vector<char*> argv;
    std::vector<char*> variables;
    for (std::string& one : arguments) argv.push_back(one.data());
    for (std::string& one : mistake.environment) variables.push_back(one.data());
    argv.push_back(nullptr);
    variables.push_back(nullptr);

    std::int64_t depth = 1;
    bool fast = false;
    bool always = false;
    ManagerOptions options{.name = "operator",
                           .args = {static_cast<int>(arguments.size()), argv.data(), variables.data()},
                           .log_sink = std::make_shared<RecordingLogSink>(),
                           .flags = {{"depth", "Depth of the search", &depth}},
                           .feature_gates = {{"FastSync", "Skips the checks", &fast},
                                             {"Always", "Stays on", &always, FeatureStage::stable}}};
    if (mistake.options) mistake.options(options);
    Manager manager(std::move(options));
    if (mistake.add) {
      mistake.add(manager);
    } else {
      manager.add(std::move(mistake.controller));
    }
    const auto started = manager.start();
    manager.stop();
    return started ? "the operator started" : shown(started.error().to_string());
  }

 private:
  [[nodiscard]] std::string shown(std::string text) const {
    const std::string folder = folder_;
    for (std::size_t at = text.find(folder); at != std::string::npos; at = text.find(folder)) {
      text.replace(at, folder.size(), "DIR");
    }
    return text;
  }

  const fs::path folder_ = fs::path(::testing::TempDir()) / ("pintle_bad_configuration_" + std::to_string(::getpid()));
};

std::vector<Mistake> mistakes_in_flags() {
  return {{.name = "an unknown flag", .arguments = {"--namespce", "x"}},
          {.name = "an argument that is no flag", .arguments = {"serve"}},
          {.name = "a flag without its value", .arguments = {"--crds"}},
          {.name = "a value that is not in the list", .arguments = {"--crds", "sometimes"}},
          {.name = "an empty namespace", .arguments = {"--namespace", "a,,b"}},
          {.name = "a namespace that occurs twice", .arguments = {"--namespace", "a", "--namespace", "a"}},
          {.name = "an invalid name of a namespace", .arguments = {"--namespace", "Team A"}},
          {.name = "a duration without a unit", .arguments = {"--sync-timeout", "30"}},
          {.name = "a switch with another value", .arguments = {"--debug=maybe"}},
          {.name = "a flag of leader election alone", .arguments = {"--leader-elect-resource-name", "x"}},
          {.name = "a number with letters", .arguments = {"--depth", "3x"}},
          {.name = "an unknown feature gate", .arguments = {"--feature-gates", "FastSink=true"}},
          {.name = "a feature gate without a value", .arguments = {"--feature-gates", "FastSync"}},
          {.name = "a stable feature gate that is switched off", .arguments = {"--feature-gates", "Always=false"}}};
}

std::vector<Mistake> mistakes_in_the_environment() {
  return {{.name = "a variable with an invalid value", .environment = {"PINTLE_LOG_LEVEL=loud"}},
          {.name = "a variable of a switch", .environment = {"PINTLE_LEADER_ELECT=perhaps"}},
          {.name = "a variable that names no file", .environment = {"PINTLE_CONFIG=/nowhere/config.yaml"}},
          {.name = "a variable with an unknown feature gate", .environment = {"PINTLE_FEATURE_GATES=Zzz=true"}}};
}

std::vector<Mistake> mistakes_in_the_file() {
  return {{.name = "an unknown key", .config = "debug: false\nlog-levle: debug\n"},
          {.name = "a key without a value", .config = "namespace:\n"},
          {.name = "a mapping instead of a value", .config = "leader-elect:\n  name: x\n"},
          {.name = "an invalid value in a line", .config = "debug: false\nlog-level: loud\n"},
          {.name = "a key that occurs twice", .config = "debug: true\ndebug: false\n"},
          {.name = "a file that is not YAML", .config = "debug: [\n"}};
}

std::vector<Mistake> mistakes_in_options() {
  using Options = ManagerOptions;
  return {
      {.name = "no controller", .add = [](Manager&) {}},
      {.name = "two controllers with one name",
       .add =
           [](Manager& manager) {
             manager.add(Controller<Note>{.reconcile = nothing});
             manager.add(Controller<Note>{.reconcile = nothing});
           }},
      {.name = "a namespace outside of those of the manager",
       .arguments = {"--namespace", "a,b"},
       .controller = {.namespaces = {"b", "c"}, .reconcile = nothing}},
      {.name = "an empty namespace of the manager", .options = [](Options& o) { o.namespaces = {""}; }},
      {.name = "an empty namespace of a controller", .controller = {.namespaces = {""}, .reconcile = nothing}},
      {.name = "no workers by default", .options = [](Options& o) { o.defaults.workers = 0; }},
      {.name = "no connections", .options = [](Options& o) { o.max_connections = 0; }},
      {.name = "debug pages without an address", .arguments = {"--debug"}},
      {.name = "an invalid address", .arguments = {"--listen", "here:99999"}},
      {.name = "a certificate without its key", .arguments = {"--listen", ":0", "--tls-cert-file", "/c.pem"}},
      {.name = "an audience without authorization", .arguments = {"--listen", ":0", "--authorize-audience", "x"}},
      {.name = "tokens without encryption", .arguments = {"--listen", "0.0.0.0:0", "--authorize"}},
      {.name = "a retry period that is too long", .arguments = {"--leader-elect", "--leader-elect-retry-period", "9s"}},
      {.name = "a lease that is too short", .arguments = {"--leader-elect", "--leader-elect-lease-duration", "5s"}},
      {.name = "an invalid name of the lease", .arguments = {"--leader-elect", "--leader-elect-resource-name", "A_b"}},
      {.name = "an invalid label of the lease",
       .options =
           [](Options& o) {
             o.leader_election = LeaderElectionOptions{.labels = {{"team", "a b"}}};
           }},
      {.name = "two clusters with one name",
       .options =
           [](Options& o) {
             o.clusters = {{.name = "a", .kubeconfig = "/a"}, {.name = "a", .kubeconfig = "/b"}};
           }},
      {.name = "a cluster without a kubeconfig", .options = [](Options& o) { o.clusters = {{.name = "east"}}; }},
      {.name = "a projection of a kind that nobody watches",
       .options =
           [](Options& o) {
             o.cache_projections = {{GroupVersionKind("v1", "Secret"), {}}};
           }},
      {.name = "two flags with one name",
       .options =
           [](Options& o) {
             static bool value = false;
             o.flags.push_back({"depth", "Again", &value});
           }},
      {.name = "a feature gate with an invalid name",
       .options =
           [](Options& o) {
             static bool value = false;
             o.feature_gates.push_back({"fast-sync", "Skips", &value});
           }},
      {.name = "a health check with the name of another",
       .add =
           [](Manager& manager) {
             manager.add(Controller<Note>{.reconcile = nothing});
             manager.add(HealthCheck{.name = "caches", .check = [](const std::stop_token&) { return Result<void>(); }});
           }},
      {.name = "a page below a built-in one",
       .add =
           [](Manager& manager) {
             manager.add(Controller<Note>{.reconcile = nothing});
             manager.add(Page{.path = "/debug/mine", .handle = [](const http::Request&) { return http::Response{}; }});
           }},
      {.name = "a runnable without a body",
       .add = [](Manager& manager) { manager.add(Runnable{.name = "feeder", .body = nullptr}); }},
      {.name = "a daemon without threads", .add = [](Manager& manager) {
         add_daemon(manager,
                    Daemon<Note>{.body = [](const Note&, const DaemonContext<Note>&) { return Result<void>(); },
                                 .max_daemons = 0});
       }}};
}

std::string kubeconfig(const std::string& cluster, const std::string& user = "{token: x}") {
  return "apiVersion: v1\nkind: Config\ncurrent-context: here\ncontexts:\n- {name: here, context: {cluster: c, user: "
         "u}}\nclusters:\n- {name: c, cluster: " +
         cluster + "}\nusers:\n- {name: u, user: " + user + "}\n";
}

std::vector<Mistake> mistakes_in_kubeconfigs() {
  return {{.name = "a kubeconfig that does not exist", .arguments = {"--kubeconfig", "/nowhere/kubeconfig"}},
          {.name = "a context that does not exist",
           .arguments = {"--context", "elsewhere"},
           .kubeconfig = kubeconfig("{server: 'https://a'}")},
          {.name = "a kubeconfig without a current context", .kubeconfig = "apiVersion: v1\nkind: Config\n"},
          {.name = "a context with an unknown cluster",
           .kubeconfig = "current-context: here\ncontexts:\n- {name: here, context: {cluster: gone, user: u}}\n"},
          {.name = "a cluster without a server", .kubeconfig = kubeconfig("{}")},
          {.name = "a server that is no URL", .kubeconfig = kubeconfig("{server: 'ftp://a'}")},
          {.name = "a certificate authority that is no certificate",
           .kubeconfig = kubeconfig("{server: 'https://a', certificate-authority-data: eA==}")},
          {.name = "a client certificate without its key",
           .kubeconfig = kubeconfig("{server: 'https://a'}", "{client-certificate: /c.pem}")}};
}

std::vector<Mistake> mistakes_in_declarations() {
  return {
      {.name = "an invalid label selector", .controller = {.label_selector = "a in", .reconcile = nothing}},
      {.name = "an invalid field selector", .controller = {.field_selector = "status", .reconcile = nothing}},
      {.name = "an invalid selector of children",
       .controller = {.owns = {Owns{ConfigMap::type, {.label_selector = "=x"}}}, .reconcile = nothing}},
      {.name = "a watch without a mapping",
       .controller = {.watches = {{.kind = ConfigMap::type}}, .reconcile = nothing}},
      {.name = "a null channel", .controller = {.channels = {nullptr}, .reconcile = nothing}},
      {.name = "a poll without a function", .controller = {.polls = {{.name = "p"}}, .reconcile = nothing}},
      {.name = "a finalize function without a finalizer", .controller = {.reconcile = nothing, .finalize = nothing}},
      {.name = "an invalid finalizer",
       .controller = {.reconcile = nothing, .finalize = nothing, .finalizer = "cleanup"}},
      {.name = "no workers", .controller = {.reconcile = nothing, .workers = 0}},
      {.name = "a negative timeout", .controller = {.reconcile = nothing, .timeout = -1s}},
      {.name = "a schedule with four fields", .controller = {.reconcile = nothing, .schedule = "* * * *"}},
      {.name = "a schedule with an invalid hour", .controller = {.reconcile = nothing, .schedule = "0 24 * * *"}},
      {.name = "a time zone without a schedule", .controller = {.reconcile = nothing, .time_zone = "Europe/Berlin"}},
      {.name = "an unknown time zone",
       .controller = {.reconcile = nothing, .schedule = "@daily", .time_zone = "Europe/Berln"}},
      {.name = "an unknown cluster", .controller = {.cluster = "west", .reconcile = nothing}}};
}

TEST_F(BadConfiguration, GivesTheseMessages) {
  std::vector<Mistake> all;
  for (auto some : {mistakes_in_flags, mistakes_in_the_environment, mistakes_in_the_file, mistakes_in_options,
                    mistakes_in_kubeconfigs, mistakes_in_declarations}) {
    for (Mistake& one : some()) all.push_back(std::move(one));
  }
  EXPECT_GE(all.size(), 40U);
  std::string found;
  std::set<std::string> names;
  for (Mistake& one : all) {
    const std::string name = one.name;
    EXPECT_TRUE(names.insert(name).second) << name;
    const std::string message = message_of(std::move(one));
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
    found += name + "\n  " + message + "\n";
  }
  if (std::getenv("PINTLE_UPDATE_GOLDEN") != nullptr) std::ofstream(golden_file) << found;
  std::stringstream expected;
  expected << std::ifstream(golden_file).rdbuf();
  EXPECT_EQ(expected.str(), found) << "see the first lines of this file";
}

}  // namespace
}  // namespace pintle
