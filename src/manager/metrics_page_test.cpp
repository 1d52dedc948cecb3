// SPDX-License-Identifier: Apache-2.0
// Compares names, labels and buckets of /metrics with those that existing dashboards expect.
#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>
#include <sstream>
#include <stdexcept>
#include <utility>

#include <gtest/gtest.h>

#include "controller/test_support.hpp"
#include "health.hpp"

namespace pintle {
namespace {

using namespace std::chrono_literals;

using TextSet = std::set<std::string>;

// One metric of the page.
struct Metric {
  std::string type{};
  TextSet labels{};                         // without the `le` of a histogram
  std::map<std::string, TextSet> values{};  // by label; in `expected` only where all of them are fixed
  std::vector<double> bounds{};             // of each histogram, without +Inf
};
using Metrics = std::map<std::string, Metric>;

const std::vector<double> reconcile_bounds{
    0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.25, 1.5,
    1.75,  2.0,  2.5,   3.0,  3.5, 4.0,  4.5, 5,    6,   7,    8,   9,    10,  15,  20,  25,  30,  40,  50,   60};
const std::vector<double> queue_bounds{1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1, 1e1, 1e2, 1e3};
const std::vector<double> request_bounds{0.005, 0.025, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60};
const std::vector<double> lookup_bounds{0.005, 0.025, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30};
const std::vector<double> size_bounds{64, 256, 512, 1024, 4096, 16384, 65536, 262144, 1048576, 4194304, 16777216};
const std::vector<double> handler_bounds{0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10};

const TextSet of_controller{"controller"};
const TextSet of_queue{"name", "controller"};
const TextSet of_requests{"verb", "host"};
const TextSet of_informer{"name", "group", "version", "resource"};
const TextSet of_lease{"name"};

// The metrics of controller-runtime, and those of client-go with the buckets of the Kubernetes programs.
const Metrics expected{
    {"controller_runtime_reconcile_total",
     {"counter", {"controller", "result"}, {{"result", {"success", "error", "requeue", "requeue_after"}}}}},
    {"controller_runtime_reconcile_errors_total", {"counter", of_controller}},
    {"controller_runtime_terminal_reconcile_errors_total", {"counter", of_controller}},
    {"controller_runtime_reconcile_panics_total", {"counter", of_controller}},
    {"controller_runtime_reconcile_timeouts_total", {"counter", of_controller}},
    {"controller_runtime_reconcile_time_seconds", {"histogram", of_controller, {}, reconcile_bounds}},
    {"controller_runtime_max_concurrent_reconciles", {"gauge", of_controller}},
    {"controller_runtime_active_workers", {"gauge", of_controller}},
    {"workqueue_depth", {"gauge", {"name", "controller", "priority"}, {{"priority", {"0", "-100"}}}}},
    {"workqueue_adds_total", {"counter", of_queue}},
    {"workqueue_queue_duration_seconds", {"histogram", of_queue, {}, queue_bounds}},
    {"workqueue_work_duration_seconds", {"histogram", of_queue, {}, queue_bounds}},
    {"workqueue_unfinished_work_seconds", {"gauge", of_queue}},
    {"workqueue_longest_running_processor_seconds", {"gauge", of_queue}},
    {"workqueue_retries_total", {"counter", of_queue}},
    {"rest_client_requests_total", {"counter", {"code", "method", "host"}}},
    {"rest_client_request_duration_seconds", {"histogram", of_requests, {}, request_bounds}},
    {"rest_client_dns_resolution_duration_seconds", {"histogram", {"host"}, {}, lookup_bounds}},
    {"rest_client_request_size_bytes", {"histogram", of_requests, {}, size_bounds}},
    {"rest_client_response_size_bytes", {"histogram", of_requests, {}, size_bounds}},
    {"rest_client_request_retries_total", {"counter", {"code", "verb", "host"}}},
    {"leader_election_master_status", {"gauge", of_lease}},
    {"leader_election_slowpath_total", {"counter", of_lease}},
    {"informer_queued_items", {"gauge", of_informer}},
    {"informer_processing_latency_seconds", {"histogram", of_informer, {}, handler_bounds}},
    {"informer_store_resource_version", {"gauge", of_informer}},
};

// Metrics of the same programs that are not exported, with the reason.
const std::map<std::string, std::string> left_out{
    {"rest_client_rate_limiter_duration_seconds", "the client holds nothing back; queues have a rate and a pace"},
    {"rest_client_transport_cache_entries", "a manager has one transport, so there is no cache of them"},
    {"rest_client_transport_create_calls_total", "the same"},
    {"rest_client_transport_ca_reload_total", "authorities are read once, when the cluster is found"},
    {"rest_client_exec_plugin_ttl_seconds", "credential programs are not supported"},
    {"rest_client_exec_plugin_certificate_rotation_age", "the same"},
    {"rest_client_exec_plugin_call_total", "the same"},
};

// Parses a page in the text format.
class Page {
 public:
  explicit Page(const std::string& text) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      if (line.starts_with("# TYPE ")) {
        const std::size_t space = line.find(' ', 7);
        metrics[line.substr(7, space - 7)].type = line.substr(space + 1);
      } else if (!line.empty() && line[0] != '#') {
        read_sample(line);
      }
    }
  }

  Metrics metrics;
  std::map<std::string, double> samples;  // by name and labels

 private:
  void read_sample(const std::string& line) {
    const std::size_t space = line.rfind(' ');
    const std::string sample = line.substr(0, space);
    samples[sample] = std::strtod(line.c_str() + space, nullptr);
    const std::size_t brace = std::min(sample.find('{'), sample.size());
    const std::string name = sample.substr(0, brace);
    Metric& metric = metrics.at(family_of(name));
    Labels labels = labels_in(sample.substr(brace));
    if (auto bound = labels.extract("le")) read_bound(metric, bounds_[{name, labels}], bound.mapped());
    TextSet names;
    for (const auto& [label, value] : labels) {
      names.insert(label);
      metric.values[label].insert(value);
    }
    EXPECT_TRUE(metric.labels.empty() || metric.labels == names) << line;
    metric.labels = names;
  }

  // Parses `{a="b",c="d"}` with plain values.
  static Labels labels_in(std::string_view text) {
    Labels labels;
    while (text.size() > 1) {
      const std::size_t equals = text.find("=\"");
      const std::size_t end = text.find('"', equals + 2);
      labels.emplace(text.substr(1, equals - 1), text.substr(equals + 2, end - equals - 2));
      text.remove_prefix(end + 1);
    }
    return labels;
  }

  // All histograms of one name must have the same bounds.
  static void read_bound(Metric& metric, std::vector<double>& bounds, const std::string& bound) {
    if (bound != "+Inf") {
      bounds.push_back(std::strtod(bound.c_str(), nullptr));
      return;
    }
    EXPECT_TRUE(metric.bounds.empty() || metric.bounds == bounds);
    metric.bounds = bounds;
  }

  [[nodiscard]] std::string family_of(std::string name) const {
    for (const std::string_view part : {"_bucket", "_sum", "_count"}) {
      std::string family = name.ends_with(part) ? name.substr(0, name.size() - part.size()) : name;
      if (const auto known = metrics.find(family); known != metrics.end() && known->second.type == "histogram") {
        return family;
      }
    }
    return name;
  }

  std::map<std::pair<std::string, Labels>, std::vector<double>> bounds_;  // so far, by name and labels
};

bool is_ours(const std::string& name) {
  for (const char* prefix : {"controller_runtime_", "workqueue_", "rest_client_", "leader_election_", "informer_"}) {
    if (name.starts_with(prefix)) return true;
  }
  return false;
}

// An operator that leads. The text of a note defines how its first reconcile ends.
class MetricsPageTest : public OperatorTest {
 protected:
  Outcome reconcile(const Note& n, Context& ctx) {
    const std::string& how = n.spec.text;
    const ConfigMap child{.metadata = owned_by(n), .data = {{"text", how}}};
    if (!seen_.insert(n.metadata.name).second) return ctx.apply(child);
    if (how == "fails") return failed(make_error(ErrorCode::unavailable, "no luck"));
    if (how == "fails for good") return failed(make_error(ErrorCode::invalid, "never").terminal());
    if (how == "throws") throw std::runtime_error("thrown");
    if (how == "again") return requeue;
    if (how == "again in a while") return requeue_after(1s);
    if (how == "hangs") ctx.executor().sleep_for(1h, ctx.stop_token());
    return ctx.apply(child);
  }

  // Uses the code that serves the page.
  Page scrape() {
    Health health(instance->manager().metrics(), {});
    const http::Response response = health.handle({.target = "/metrics"});
    EXPECT_EQ(response.status, 200);
    return Page(response.body);
  }

 private:
  TextSet seen_;
};

TEST_F(MetricsPageTest, HasExactlyTheExpectedMetrics) {
  run({.owns = {ConfigMap::type},
       .reconcile = [this](const Note& n, Context& ctx) { return reconcile(n, ctx); },
       .timeout = 30s,
       .resync_period = 40s},
      {.leader_election = LeaderElectionOptions{.identity = "a"}});
  instance->transport().set_faults({{.effect = http::ErrorResponse{.status = 429, .headers = {{"Retry-After", "1"}}},
                                     .only = http::requests("PATCH", ""),
                                     .times = 1}});
  int number = 0;
  for (const char* how : {"fails", "fails for good", "throws", "again", "again in a while", "hangs"}) {
    create(note("n" + std::to_string(++number), how));
  }
  simulation.executor().sleep_for(2min);
  // A transport over a network reports the time of a name lookup with the first response of a connection.
  Client over_network({.transport = simulation.connect(), .metrics = &instance->manager().metrics()});
  over_network.record_exchange({}, {.name_lookup = 3ms}, 5ms);

  const Page page = scrape();
  const std::string notes = R"({group="test.pintle.dev",name="test-operator",resource="notes",version="v1"})";

  for (const auto& [name, want] : expected) {
    const auto found = page.metrics.find(name);
    ASSERT_NE(found, page.metrics.end()) << name << " is missing";
    EXPECT_EQ(found->second.type, want.type) << name;
    EXPECT_EQ(found->second.labels, want.labels) << name;
    EXPECT_EQ(found->second.bounds, want.bounds) << name;
    for (const auto& [label, values] : want.values) EXPECT_EQ(found->second.values.at(label), values) << name;
  }
  for (const auto& [name, metric] : page.metrics) {
    EXPECT_FALSE(left_out.contains(name)) << name << " was left out: " << left_out.at(name);
    EXPECT_TRUE(!is_ours(name) || expected.contains(name)) << name << " is on the page and not in the list";
  }
  const std::map<std::string, double> counts{
      {R"(controller_runtime_reconcile_total{controller="note",result="error"})", 4},
      {R"(controller_runtime_reconcile_total{controller="note",result="requeue"})", 1},
      {R"(controller_runtime_reconcile_total{controller="note",result="requeue_after"})", 1},
      {R"(controller_runtime_reconcile_errors_total{controller="note"})", 4},
      {R"(controller_runtime_terminal_reconcile_errors_total{controller="note"})", 1},
      {R"(controller_runtime_reconcile_panics_total{controller="note"})", 1},
      {R"(controller_runtime_reconcile_timeouts_total{controller="note"})", 1},
      {R"(rest_client_request_retries_total{code="429",host="localhost:0",verb="PATCH"})", 1},
      {R"(workqueue_retries_total{controller="note",name="note"})", 4},
      {R"(leader_election_master_status{name="test-operator"})", 1},
      {"informer_queued_items" + notes, 0},
      {"informer_processing_latency_seconds_count" + notes, 6}};
  for (const auto& [sample, count] : counts) {
    ASSERT_TRUE(page.samples.contains(sample)) << sample;
    EXPECT_EQ(page.samples.at(sample), count) << sample;
  }
}

}  // namespace
}  // namespace pintle
