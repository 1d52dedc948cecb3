// SPDX-License-Identifier: Apache-2.0
// A healthy simulated cluster with an operator named "greeter", which each test breaks in one place.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>

#include <pintle/sim/simulated_programs.hpp>
#include <pintle/testing/simulation.hpp>

#include "doctor/doctor.hpp"

namespace pintle::doctor {

using namespace std::chrono_literals;

inline constexpr LineState ok = LineState::ok;
inline constexpr LineState warn = LineState::warn;
inline constexpr LineState failed = LineState::fail;
inline constexpr LineState skip = LineState::skip;

inline const GroupVersionKind greeting_kind("demo.pintle.dev/v1", "Greeting");
inline constexpr const char* greetings_crd = "greetings.demo.pintle.dev";
inline constexpr Type validating_type{"admissionregistration.k8s.io/v1", "ValidatingWebhookConfiguration"};

// A server whose clock and responses may differ from those of the embedded one.
class ServerWithDate final : public http::Handler {
 public:
  ServerWithDate(http::Handler& inner, const Clock& clock) : inner_(inner), clock_(clock) {}
  [[nodiscard]] http::Response handle(const http::Request& request) override;

  Duration ahead{};                             // of the clock
  std::map<std::string, std::string> bodies{};  // of responses that are replaced, by target
  bool has_date = true;

 private:
  http::Handler& inner_;
  const Clock& clock_;
};

class DoctorTest : public ::testing::Test {
 protected:
  DoctorTest();
  ~DoctorTest() override;
  void SetUp() override;

  // Creates the objects of YAML documents.
  void create(const std::string& yaml);
  // The same, with the status of each document.
  void create_with_status(const std::string& yaml);
  // Sends a merge patch, in YAML.
  void patch(const GroupVersionKind& kind, const ObjectKey& key, const std::string& yaml,
             const std::string& subresource = "");
  void remove(const GroupVersionKind& kind, const ObjectKey& key);
  // Removes the webhook, which the simulation does not serve, so that Greetings can be written.
  void remove_webhook() { remove(validating_type, {.name = "greeter"}); }
  // The responses to requests for this prefix are an error.
  void reject(const std::string& target_prefix, int status, const std::string& reason, const std::string& method = "");

  // All lines, and those that are not ok.
  [[nodiscard]] std::vector<Line> diagnose_all();
  [[nodiscard]] std::vector<Line> problems();

  testkit::Simulation simulation_{{.seed = 7}};
  ServerWithDate server_{simulation_.server(), simulation_.executor()};
  std::shared_ptr<http::InProcessTransport> transport_;
  std::unique_ptr<Client> client_;
  SimulatedPrograms programs_{simulation_.executor()};
  DoctorOptions options_{.command = {"greeter", "--leader-elect"}, .watch_for = 3s};
  std::string crds_;  // of the program
  std::string roles_;
  std::string webhooks_;
  std::string rejected_flag_;                         // by the program
  std::map<std::string, std::string> roles_by_flag_;  // instead of roles_
  bool needs_namespace_ = false;  // the program requires --webhook-service-namespace for --print-webhooks
  std::string trust_bundle_;      // base64

 private:
  void add_program();
  void create_operator();
  void create_webhook();
};

// A certificate authority in base64 that is valid until this time.
[[nodiscard]] std::string trust_bundle_until(WallTime end);

// A line whose texts contain these parts.
MATCHER_P5(IsLine, state, check, subject, detail, action, "") {
  const bool has_texts = arg.subject.find(subject) != std::string::npos &&
                         arg.detail.find(detail) != std::string::npos && arg.action.find(action) != std::string::npos;
  return arg.state == state && arg.check == check && has_texts;
}

inline void PrintTo(const Line& line, std::ostream* out) {
  *out << to_string(line.state) << " " << line.check << " | " << line.subject << " | " << line.detail << " | "
       << line.action;
}

}  // namespace pintle::doctor
