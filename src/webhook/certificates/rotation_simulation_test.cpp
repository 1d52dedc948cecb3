// SPDX-License-Identifier: Apache-2.0
// Rotations of certificates in virtual time: three instances that crash, clocks that jump, outages of the API server,
// losses of the Secret, and another client that edits the bundles. The API server calls the webhook for each write.
#include <algorithm>
#include <array>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <pintle/base/random.hpp>
#include <pintle/testing/seeds.hpp>

#include "process_test_support.hpp"

namespace pintle {
namespace {

using namespace certificates_test;  // NOLINT(google-build-using-namespace)

constexpr CertificateLives quick_lives{.authority = 20min, .serving = 10min, .tolerance = 1min};
// For the quiet time at the end.
constexpr CertificateLives long_lives{.authority = 1'000h, .serving = 500h, .tolerance = 1min};
constexpr Duration check_period = 30s;
constexpr Duration max_outage = 1min;
// The longest pause after errors, with its random part and the delays of requests.
constexpr Duration max_pause = 80s;
constexpr Duration distribution_time = 90s;
// An API server uses a changed bundle after this time at the latest. Less than `distribution_time` by the delays of
// requests and a tick.
constexpr Duration max_bundle_age = 75s;
constexpr Duration tick = 8s;
constexpr Type config_map_type{"v1", "ConfigMap"};
const ObjectKey written_key{.namespace_ = "default", .name = "written"};

constexpr std::string_view certificate_failure = "failed to verify certificate";

// The members caBundle of all webhooks.
using Bundles = std::vector<Authorities>;

bool do_all_have(const Bundles& bundles, const std::string& authority) {
  return std::all_of(bundles.begin(), bundles.end(),
                     [&](const Authorities& one) { return has_authority(one, authority); });
}

// The way of one instance to the API server.
class InstanceLink final : public http::Handler {
 public:
  explicit InstanceLink(DatedServer& api) : api_(api) {}
  http::Response handle(const http::Request& request) override {
    if (refuses && refuses(request)) return {.status = 503, .body = "refused by the test"};
    return api_.handle(request);
  }

  std::function<bool(const http::Request&)> refuses{};

 private:
  DatedServer& api_;
};

class RotationWorld {
 public:
  explicit RotationWorld(std::uint64_t seed) : simulation_({.seed = seed}), random_(seed * 2 + 1) {
    EXPECT_TRUE(simulation_.user().create(
        json::Value{{"apiVersion", "v1"},
                    {"kind", "ConfigMap"},
                    {"metadata", {{"name", written_key.name}, {"namespace", written_key.namespace_}}}}));
    EXPECT_TRUE(simulation_.user().create(webhook_configuration()));
    for (int i = 0; i < instances; ++i) start(i);
    EXPECT_TRUE(simulation_.wait_until([this] {
      restart_crashed();
      return are_all_listening();
    }));
  }

  void run_with_disturbances(Duration time) {
    const Instant end = now() + time;
    while (now() < end && !::testing::Test::HasFailure()) {
      simulation_.executor().sleep_for(tick);
      restart_crashed();
      if (chance(6)) disturb();
      end_outage();
      write();
      check_bundles();
    }
  }

  // All instances are replaced by a release whose certificates live long.
  void settle() {
    outage_end_ = std::min(outage_end_, now());
    end_outage();
    is_settling_ = true;
    period_ = 1min;
    restart_all();
    // Until the last authority with a short life has expired.
    const Instant end = now() + 25min;
    while (now() < end && !::testing::Test::HasFailure()) {
      simulation_.executor().sleep_for(2min);
      write();
      check_bundles();
    }
  }

  void restart_all() {
    for (int i = 0; i < instances; ++i) {
      start(i);
      EXPECT_TRUE(simulation_.wait_until([&] { return !at(i)->certificate().empty(); }));
      write();
      check_bundles();
    }
  }

  // The last lines of the logs of all instances, and the disturbances.
  [[nodiscard]] std::string story() const { return story_->text(); }

  void expect_settled() {
    period_ = 5min;
    restart_all();
    const Bundles bundles = current_bundles();
    const std::uint64_t writes = simulation_.server().writes();
    const CertificateState state =
        read_certificate_state(simulation_.server().objects("secrets").at(0)).value_or(CertificateState());
    EXPECT_EQ(trusted_authorities(state).size(), 1U);
    for (const Authorities& one : bundles) EXPECT_EQ(one, trusted_authorities(state));
    for (int i = 0; i < instances; ++i) {
      EXPECT_EQ(at(i)->certificate(), state.serving.certificate) << i;
      EXPECT_TRUE(at(i)->check());
    }

    simulation_.executor().sleep_for(1h);

    EXPECT_EQ(simulation_.server().writes(), writes) << "writes in an hour without a change";
    EXPECT_EQ(current_bundles(), bundles);
    EXPECT_GE(authorities_.size(), 2U) << "no authority was replaced";
    EXPECT_GT(admitted_, 100);
  }

 private:
  static constexpr int instances = 3;
  using Process = std::unique_ptr<WebhookProcess>;

  static json::Value webhook_configuration() {
    json::Value made = configuration();
    json::array& webhooks = made.at("webhooks").as_array();
    json::object& called = webhooks.at(0).as_object();
    called["failurePolicy"] = "Fail";
    called["rules"] = json::array{{{"apiGroups", json::array{""}},
                                   {"apiVersions", json::array{"v1"}},
                                   {"operations", json::array{"UPDATE"}},
                                   {"resources", json::array{"configmaps"}}}};
    json::object second = called;
    second["name"] = "second.example.com";
    second.erase("rules");
    webhooks.push_back(std::move(second));
    return made;
  }

  [[nodiscard]] Instant now() { return simulation_.executor().now(); }
  [[nodiscard]] bool chance(std::uint64_t one_of) { return random_.below(one_of) == 0; }
  [[nodiscard]] Duration some(Duration most) {
    return Duration(static_cast<Duration::rep>(random_.below(static_cast<std::uint64_t>(most.count()))));
  }
  [[nodiscard]] Process& at(int instance) { return processes_.at(static_cast<std::size_t>(instance)); }
  [[nodiscard]] Instant& start_time(int instance) { return start_times_.at(static_cast<std::size_t>(instance)); }
  [[nodiscard]] static std::string host_of(int instance) { return "10.0.0." + std::to_string(instance + 1); }
  [[nodiscard]] bool are_all_listening() const {
    return std::all_of(processes_.begin(), processes_.end(),
                       [](const Process& one) { return one != nullptr && !one->certificate().empty(); });
  }

  // Ends the process of the instance, if it has one, and starts another one.
  void start(int instance) {
    log_.info("starting", {{"instance", host_of(instance)}});
    Process& process = at(instance);
    process.reset();
    process = std::make_unique<WebhookProcess>(
        simulation_, links_.at(static_cast<std::size_t>(instance)),
        WebhookProcessOptions{.host = host_of(instance),
                              .targets = {{.kind = validating, .name = "op"}},
                              .lives = is_settling_ ? long_lives : quick_lives,
                              .period = period_,
                              .distribution = distribution_time,
                              .clock_offset = chance(2) ? some_offset() : Duration(),
                              .faults = is_settling_ ? http::FaultPlan() : some_faults(host_of(instance)),
                              .log = log_.with({{"instance", host_of(instance)}})});
  }
  Duration some_offset() { return some(4000h) - 2000h; }
  http::FaultPlan some_faults(const std::string& host) {
    http::FaultPlan plan{
        {.effect = http::Delay{.duration = some(2s), .after_commit = chance(2)}, .probability = 0.1},
        {.effect = http::ErrorResponse{.after_commit = chance(2)}, .only = http::is_write, .probability = 0.1},
        {.effect = http::Drop{.after_commit = chance(2)}, .probability = 0.02}};
    if (!chance(3)) return plan;
    // In the middle of a check.
    plan.push_back(
        {.effect = http::Crash{.after_commit = chance(2), .then = [this, host] { simulation_.network().crash(host); }},
         .only = chance(2) ? http::is_write : http::is_list_or_get,
         .first = 1 + random_.below(10),
         .times = 1});
    return plan;
  }

  void crash(int instance) {
    if (at(instance) == nullptr) return;
    log_.info("crashing", {{"instance", host_of(instance)}});
    at(instance)->crash();
    at(instance).reset();
    start_time(instance) = now() + (chance(4) ? some(5min) : some(30s));
  }
  void restart_crashed() {
    for (int i = 0; i < instances; ++i) {
      if (at(i) != nullptr && at(i)->is_crashed()) crash(i);
      if (at(i) == nullptr && now() >= start_time(i)) start(i);
    }
  }

  void disturb() {
    const int instance = static_cast<int>(random_.below(instances));
    switch (random_.below(9)) {
      case 0: return crash(instance);
      case 1: return start(instance);
      case 2:
        for (int i = 0; i < instances; ++i) crash(i);
        return;
      case 3: return lose_secret();
      case 4: return break_secret();
      case 5: return edit_bundle();
      case 6:
      case 7: return begin_outage();
      default:
        if (at(instance) != nullptr) at(instance)->clock.offset = some_offset();
        return;
    }
  }

  void lose_secret() {
    log_.info("losing the Secret");
    (void)simulation_.user().remove(Type{"v1", "Secret"}, secret_key);
  }
  void break_secret() {
    constexpr std::array keys{"tls.crt", "tls.key", "ca.crt", "ca.key", "next-ca.key"};
    const char* const key = keys.at(random_.below(keys.size()));
    log_.info("breaking the Secret", {{"key", key}});
    (void)simulation_.user().patch(Type{"v1", "Secret"}, secret_key,
                                   json::Value{{"data", {{key, Bytes("text").to_base64()}}}});
  }

  // Another client writes a bundle. The webhooks repair it in the next check.
  void edit_bundle() {
    const std::size_t webhook = chance(2) ? 0 : 2;
    const Authorities before = current_bundles().at(webhook == 0 ? 0 : 1);
    Authorities after = before;
    const std::uint64_t kind = random_.below(4);
    log_.info("editing a bundle", {{"kind", kind}, {"authorities", before.size()}});
    if (kind == 0) after.push_back(foreign_authority());
    if (kind == 1 && !after.empty())
      after.erase(after.begin() + static_cast<std::ptrdiff_t>(random_.below(after.size())));
    if (kind == 2) std::reverse(after.begin(), after.end());
    if (kind == 3) after = {chance(2) ? foreign_authority() : std::string("text")};
    for (const std::string& one : before) {
      if (!has_authority(after, one) && !has_authority(removed_, one)) removed_.push_back(one);
    }
    if (!removed_.empty())
      repair_limit_ = std::max(repair_limit_, std::max(now(), outage_end_ + max_pause) + repair_time());
    EXPECT_TRUE(
        simulation_.user().patch(validating, {.name = "op"},
                                 json::Patch{}.add("/webhooks/" + std::to_string(webhook) + "/clientConfig/caBundle",
                                                   json::Value(Bytes(to_pem(after)).to_base64()))));
  }
  [[nodiscard]] Duration repair_time() const { return check_period + 15s; }
  std::string foreign_authority() {
    const WallTime now = simulation_.executor().wall_now();
    return http::make_authority({.common_name = "other", .not_before = now - 1h, .not_after = now + 24h})
        .value()
        .certificate;
  }

  // Some instances cannot reach the API server, or not all of it. There are long breaks between outages, because a
  // certificate expires if none of the instances can renew it.
  void begin_outage() {
    if (now() < outage_end_ + 3min) return;
    outage_end_ = now() + some(max_outage);
    if (now() <= repair_limit_) repair_limit_ = outage_end_ + max_pause + repair_time();
    if (chance(2)) return isolate_one();
    constexpr std::array parts{"/", "/secrets", "/validatingwebhookconfigurations", "/version"};
    const std::string_view part = parts.at(random_.below(parts.size()));
    const bool hits_writes_only = chance(3);
    const bool hits_all = chance(2);
    for (int i = 0; i < instances; ++i) {
      if (hits_all || chance(2)) refuse(i, part, hits_writes_only);
    }
  }
  // A new process of one instance finds no Secret, and the others, which have its contents, cannot restore it.
  void isolate_one() {
    const int one = static_cast<int>(random_.below(instances));
    for (int i = 0; i < instances; ++i) {
      if (i != one) refuse(i, "/", false);
    }
    if (chance(2)) edit_bundle();
    lose_secret();
    start(one);
  }
  void refuse(int instance, std::string_view part, bool hits_writes_only) {
    const WallTime end = simulation_.executor().wall_now() + (outage_end_ - now());
    log_.info("an outage begins", {{"instance", host_of(instance)},
                                   {"part", part},
                                   {"only_writes", hits_writes_only ? "yes" : "no"},
                                   {"end", format_time(end)}});
    links_.at(static_cast<std::size_t>(instance)).refuses = [part, hits_writes_only](const http::Request& request) {
      return request.target.find(part) != std::string::npos && (!hits_writes_only || http::is_write(request));
    };
  }
  void end_outage() {
    if (now() < outage_end_) return;
    for (InstanceLink& link : links_) link.refuses = nullptr;
  }

  // A user writes an object, for which the API server calls the webhook of one instance.
  void write() {
    const auto written = simulation_.user().patch(config_map_type, written_key,
                                                  json::Value{{"data", {{"count", std::to_string(++written_)}}}});
    if (written) {
      ++admitted_;
      return;
    }
    const std::string error = written.error().to_string();
    log_.info("refused", {{"error", error}});
    if (error.find(certificate_failure) == std::string::npos) {
      EXPECT_NE(error.find("failed calling webhook"), std::string::npos) << error;
      return;
    }
    EXPECT_TRUE(is_caused_by_edit(missing_in(current_bundles()))) << error;
  }

  const Bundles& current_bundles() {
    const Object configured =
        simulation_.server().objects("validatingwebhookconfigurations.admissionregistration.k8s.io").at(0);
    if (configured.resource_version() == bundles_version_) return bundles_;
    bundles_version_ = configured.resource_version();
    bundles_.clear();
    for (const ClientConfig& one : client_configs(configured, address)) bundles_.push_back(one.trusted);
    return bundles_;
  }
  // The authority that signed the certificate; "" if it is in no bundle and not in the Secret.
  std::string authority_of(const std::string& certificate) {
    if (const auto found = authorities_by_certificate_.find(certificate); found != authorities_by_certificate_.end()) {
      return found->second;
    }
    Authorities known = authorities_;
    for (const Authorities& bundle : current_bundles()) known.insert(known.end(), bundle.begin(), bundle.end());
    for (const std::string& one : known) {
      if (!http::is_signed_by(certificate, one)) continue;
      if (!has_authority(authorities_, one)) authorities_.push_back(one);
      return authorities_by_certificate_[certificate] = one;
    }
    return "";
  }
  // The authorities of certificates in use that at least one bundle does not have.
  Authorities missing_in(const Bundles& bundles, Duration used_for = {}) {
    Authorities missing;
    for (const Process& one : processes_) {
      if (one == nullptr || one->certificate().empty() || now() - one->listens_since() < used_for) continue;
      const std::string authority = authority_of(one->certificate());
      if (!do_all_have(bundles, authority)) missing.push_back(authority);
    }
    return missing;
  }
  [[nodiscard]] bool is_caused_by_edit(const Authorities& missing) {
    return now() <= repair_limit_ && std::all_of(missing.begin(), missing.end(), [this](const std::string& one) {
             return has_authority(removed_, one);
           });
  }

  void check_bundles() {
    const Bundles& bundles = current_bundles();
    const Authorities missing = missing_in(bundles);
    EXPECT_TRUE(missing.empty() || is_caused_by_edit(missing)) << "a bundle does not have the authority in use";
    earlier_bundles_.emplace_back(now(), bundles);
    while (earlier_bundles_.front().first < now() - max_bundle_age) earlier_bundles_.pop_front();
    // Another API server has not received the last changes of the configuration.
    for (const auto& [time, earlier] : earlier_bundles_) {
      const Authorities untrusted = missing_in(earlier, max_bundle_age + tick);
      EXPECT_TRUE(untrusted.empty() || now() <= repair_limit_ + max_bundle_age || is_caused_by_edit(untrusted))
          << "an API server does not trust the certificate in use yet";
    }
    const bool is_repaired = std::all_of(removed_.begin(), removed_.end(),
                                         [&](const std::string& one) { return do_all_have(bundles, one); });
    if (is_repaired || now() > repair_limit_) removed_.clear();
    for (const Process& one : processes_) {
      if (one == nullptr || one->certificate().empty()) continue;
      const auto usable = one->check();
      EXPECT_TRUE(usable) << usable.error().to_string();
    }
  }

  testkit::Simulation simulation_;
  const std::shared_ptr<StorySink> story_ = std::make_shared<StorySink>();
  const Log log_{story_, simulation_.executor()};
  Random random_;
  DatedServer api_{simulation_};
  std::array<InstanceLink, instances> links_{InstanceLink(api_), InstanceLink(api_), InstanceLink(api_)};
  std::array<Process, instances> processes_;
  std::array<Instant, instances> start_times_{};
  Duration period_ = check_period;
  bool is_settling_ = false;
  Instant outage_end_{};
  int written_ = 0;
  int admitted_ = 0;
  Authorities authorities_;  // of all certificates that were in use
  std::map<std::string, std::string, std::less<>> authorities_by_certificate_;
  Bundles bundles_;  // of this version of the configuration
  std::string bundles_version_;
  std::deque<std::pair<Instant, Bundles>> earlier_bundles_;
  Authorities removed_;     // by an edit, and not repaired yet
  Instant repair_limit_{};  // when the edit is repaired at the latest
};

TEST(RotationSimulation, NoRequestIsRefusedForACertificate) {
  for (const std::uint64_t seed : testkit::seeds({.usual = 5, .sanitized = 1, .long_run = 1'000})) {
    SCOPED_TRACE(::testing::Message() << "PINTLE_SEED=" << seed);
    RotationWorld world(seed);
    world.run_with_disturbances(20min);
    world.settle();
    if (!HasFailure()) world.expect_settled();
    if (HasFailure()) return (void)(ADD_FAILURE() << world.story());
  }
}

}  // namespace
}  // namespace pintle
