// SPDX-License-Identifier: Apache-2.0
// Compares docs/metrics.md with the metrics that an operator registers. The operator of this test uses each part of
// pintle that has metrics. The names are also compared with those in the sources, so that none is missing.
#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <regex>
#include <set>
#include <sstream>
#include <stdexcept>

#include <pintle/api/everyday.hpp>
#include <pintle/http/certificates.hpp>
#include <pintle/http/net_transport.hpp>
#include <pintle/manager/daemon.hpp>
#include <pintle/patterns/crud.hpp>
#include <pintle/patterns/watcher.hpp>
#include <pintle/pintle.hpp>
#include <pintle/testing/seeds.hpp>
#include <pintle/testing/simulation.hpp>
#include <pintle/webhook/admission.hpp>

#include "client/access/exec_plugin_metrics.hpp"
#include "http/certificate_reads.hpp"
#include "manager/cache_health.hpp"
#include "manager/health_check_runner.hpp"
#include "manager/process_metrics.hpp"
#include "patterns/crud/metric_names.hpp"
#include "reference_page.hpp"
#include "telemetry/otlp_exporter.hpp"

namespace pintle::testkit::reference_pages {
namespace {

using namespace std::chrono_literals;

// ---- an operator that uses everything ------------------------------------------------------------------------------

namespace v2 {
struct Gauge;
}
namespace v1 {
struct Gauge {
  static constexpr Type type{"test.pintle.dev/v1", "Gauge"};
  Metadata metadata{};
  static constexpr auto fields() { return pintle::fields(); }
  void to(v2::Gauge&) const {}
  void from(const v2::Gauge&) {}
};
}  // namespace v1
namespace v2 {
struct Gauge {
  static constexpr Type type{"test.pintle.dev/v2", "Gauge"};
  using versions = Versions<Gauge, v1::Gauge>;
  Metadata metadata{};
  static constexpr auto fields() { return pintle::fields(); }
};
}  // namespace v2

Outcome reconcile(const v2::Gauge& gauge, Context& ctx) {
  // More Events than the limit for one object.
  for (int i = 0; i < 100; ++i) ctx.event(EventType::normal, "Reason" + std::to_string(i), "note");
  if (auto listed = ctx.list<ConfigMap>({.index = {"broken", "x"}}); !listed) return listed.error();
  return ctx.apply(ConfigMap{.metadata = owned_by(gauge), .data = {{"a", "b"}}});
}

crud::Resource crud_resource(MetricsRegistry& metrics) {
  const crud::Resource plain =
      crud::PlainResource<Secret>{.name = "resource",
                                  .ensure_created = [](const Secret&, Context&) -> Result<void> { return {}; },
                                  .ensure_deleted = [](const Secret&, Context&) -> Result<void> { return {}; }};
  return crud::with_metrics(plain, {.name = "operator", .registry = metrics});
}

void add_crud(Manager& manager) {
  crud::ResourceSet set(
      {.handles = [](const Object&) { return true; }, .resources = {crud_resource(manager.metrics())}});
  crud::FrameworkOptions options{.name = "crud", .resource_router = crud::ResourceRouter({.resource_sets = {set}})};
  crud::Framework(Secret::type, std::move(options)).boot(manager);
}

void add_watcher(Manager& manager) {
  watcher::InformerController controller(manager.executor());
  controller.add_informer(watcher::KubernetesBasedInformer::of<Service>({}), "service");
  controller.add_reconciler(
      std::make_shared<watcher::TypedReconciler<Service>>(
          [](const watcher::TypedReconcileRequest<Service>&, Context&) -> watcher::ReconcileResult { return done; }),
      "service");
  controller.add_to(manager);
}

void add_everything(Manager& manager) {
  manager.add(Controller<v2::Gauge>{
      .owns = {ConfigMap::type},
      .indexes = {{.kind = ConfigMap::type,
                   .name = "broken",
                   .keys = [](const Object&) -> std::vector<std::string> { throw std::runtime_error("broken"); }}},
      .reconcile = reconcile});
  manager.add(Admission<v2::Gauge>{.validate = [](const v2::Gauge&, const AdmissionContext&) { return admitted(); }});
  add_daemon(manager, Daemon<v2::Gauge>{.body = [](const v2::Gauge&, const DaemonContext<v2::Gauge>&) -> Result<void> {
               return {};
             }});
  add_crud(manager);
  add_watcher(manager);
}

// Registers the metrics of the parts that a simulation does not have: sockets, programs and the network.
void add_outside(Simulation& simulation, MetricsRegistry& metrics) {
  ExecPluginMetrics plugin(&metrics);
  plugin.count(0, "no_error");
  for (const char* name : {"a", "b"}) {
    const auto certificate = http::make_self_signed_key_pair(name, std::string(name), simulation.executor().wall_now());
    ASSERT_TRUE(certificate) << certificate.error().to_string();
    plugin.note_certificate(certificate->server.certificate, simulation.executor().wall_now());
  }
  (void)http::certificate_reads(metrics);
  ProcessMetrics(simulation.executor(), metrics, "operator", "1.0.0").measure();
  const HealthCheckRunner check({.name = "check", .check = [](const std::stop_token&) -> Result<void> { return {}; }},
                                simulation.executor(), metrics, Log());
  const OtlpExporter exporter(simulation.connect(), {.endpoint = std::make_shared<http::Endpoint>()}, Log(), metrics);
  const auto real = make_real_executor();
  const auto network = http::make_network_transport(*real, {.metrics = &metrics});
  Client over_network({.transport = simulation.connect(), .metrics = &metrics});
  over_network.record_exchange({}, {.name_lookup = 3ms}, 5ms);
}

// Measures a cache as the page /metrics does before it prints the metrics.
void measure_cache(Simulation& simulation, MetricsRegistry& metrics) {
  Client client({.transport = simulation.connect(), .cluster = {.endpoint = std::make_shared<http::Endpoint>()}});
  Dispatcher dispatcher(simulation.executor());
  const InformerOptions options{.resource = {.kind = ConfigMap::type, .plural = "configmaps"}};
  const auto informer = std::make_shared<Informer>(client, dispatcher, Log(), options);
  informer->start();
  EXPECT_TRUE(informer->wait_for_sync(simulation.executor().now() + 1min));
  CacheHealth health(simulation.executor(), metrics, "operator", 5min);
  health.add(std::string(home_cluster), {{informer, {}}});
  health.measure();
  health.close();
  informer->stop();
  dispatcher.stop();
}

std::string all_metrics() {
  std::string folder = (std::filesystem::temp_directory_path() / "pintle-metrics-XXXXXX").string();
  EXPECT_NE(::mkdtemp(folder.data()), nullptr);
  bool gate = false;
  Simulation simulation({.seed = 1});
  std::string text;
  {
    Instance instance(simulation,
                      {.name = "operator",
                       .leader_election = LeaderElectionOptions{.identity = "a"},
                       .client_metrics_by_kind = true,
                       .log_level = LogLevel::off,
                       .state_dir = folder,
                       .feature_gates = {{"Gate", "A gate", &gate}},
                       .webhooks = {.listen = "0.0.0.0:9443"}},
                      add_everything);
    instance.start();
    instance.join();
    EXPECT_TRUE(instance.started()) << instance.started().error().to_string();
    instance.transport().set_faults({{.effect = http::ErrorResponse{.status = 429, .headers = {{"Retry-After", "1"}}},
                                      .only = http::requests("PATCH", ""),
                                      .times = 1}});
    EXPECT_TRUE(simulation.user().create(v2::Gauge{.metadata = {.name = "a", .namespace_ = "default"}}));
    // The cluster never becomes idle, because the lease is renewed.
    EXPECT_TRUE(simulation.wait_until([&] { return !simulation.server().objects("configmaps").empty(); }));
    simulation.executor().sleep_for(10s);  // for the Events
    MetricsRegistry& metrics = instance.manager().metrics();
    add_outside(simulation, metrics);
    measure_cache(simulation, metrics);
    text = metrics.text();
  }
  std::filesystem::remove_all(folder);
  return text;
}

// ---- the page ------------------------------------------------------------------------------------------------------

struct Metric {
  std::string type{};
  std::string help{};
  std::map<std::string, std::set<std::string>> labels{};  // with their values
};
using Metrics = std::map<std::string, Metric>;

// Reads the lines "# HELP NAME TEXT", "# TYPE NAME TYPE" and `NAME{LABEL="VALUE",…} NUMBER`.
Metrics read_metrics(const std::string& text) {
  static const std::regex comment("# (HELP|TYPE) (\\S+) (.*)");
  static const std::regex label("([a-z_]+)=\"([^\"]*)\"");
  Metrics metrics;
  std::string name;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (std::smatch found; std::regex_match(line, found, comment)) {
      name = found[2];
      (found[1] == "HELP" ? metrics[name].help : metrics[name].type) = found[3];
      continue;
    }
    EXPECT_TRUE(line.starts_with(name)) << line;
    for (std::sregex_iterator found(line.begin(), line.end(), label), end; found != end; ++found) {
      if ((*found)[1] != "le") metrics[name].labels[(*found)[1]].insert((*found)[2]);
    }
  }
  return metrics;
}

struct Group {
  const char* title;
  const char* note;
  std::vector<const char*> prefixes;
};

// A metric is in the group that has the longest prefix of its name.
const std::vector<Group>& groups() {
  static const std::vector<Group> all{
      {"Reconciles",
       "For each controller. The names with `controller_runtime` are those of controller-runtime.",
       {"controller_runtime_", "pintle_overdue_", "pintle_function_", "pintle_handler_", "pintle_own_write_",
        "pintle_taken_back_"}},
      {"Work queues", "For each controller.", {"workqueue_"}},
      {"Caches",
       "For each cached kind. [operating.md](operating.md#caches) describes the states of a cache.",
       {"informer_", "pintle_cache_", "pintle_informer_", "pintle_index_", "pintle_missing_crds"}},
      {"Requests",
       "Names and labels are those of client-go. `rest_client_exec_plugin_…` needs a credential plugin, "
       "`kubernetes_client_…` needs\n`ManagerOptions::client_metrics_by_kind`.",
       {"rest_client_", "kubernetes_client_", "pintle_client_"}},
      {"Leader election", "With `--leader-elect`.", {"leader_election_"}},
      {"Webhooks and certificates",
       "With an admission or a conversion; `certwatcher_…` with certificates in files.",
       {"controller_runtime_webhook_", "controller_runtime_conversion_webhook_", "pintle_webhook_", "certwatcher_"}},
      {"Events and traces", "Traces need a collector.", {"pintle_events_", "pintle_trace_"}},
      {"Process",
       "With `--listen`. The names with `process_` are those of the client libraries of Prometheus.",
       {"process_", "pintle_build_info"}},
      {"Other parts",
       "Daemons, health checks and feature gates, if the operator has them; crashes, with `--state-dir`.",
       {"pintle_daemon", "pintle_health_check", "pintle_feature_", "pintle_process_crashes_", "pintle_quarantined_",
        "pintle_state_dir_"}},
      {"The crud pattern",
       "Names and labels are those of operatorkit. The metrics of operations need `crud::with_metrics`.",
       {"operatorkit_"}},
      {"The watcher pattern",
       "Names, labels and buckets are those of grafana-app-sdk. "
       "`watcher::InformerControllerOptions::metrics_namespace` is a\nprefix of the names.",
       {"informer_events_", "informer_reconcile_", "ongoing_", "reconciler_", "retry_processor_", "watcher_"}}};
  return all;
}

const Group* group_of(const std::string& name) {
  const Group* best = nullptr;
  std::size_t longest = 0;
  for (const Group& group : groups()) {
    for (const std::string_view prefix : group.prefixes) {
      if (!name.starts_with(prefix) || prefix.size() <= longest) continue;
      best = &group;
      longest = prefix.size();
    }
  }
  return best;
}

// Labels all of whose values exist from the start.
bool has_fixed_values(const std::string& label) {
  return std::set<std::string>{"action", "event_type", "function", "outcome", "reason", "result", "state"}.contains(
      label);
}

std::string print_labels(const Metric& metric) {
  std::vector<std::string> labels;
  for (const auto& [label, values] : metric.labels) {
    std::vector<std::string> shown;
    if (has_fixed_values(label)) std::ranges::transform(values, std::back_inserter(shown), code);
    labels.push_back(code(label) + (shown.empty() ? "" : " (" + joined(shown, " ") + ")"));
  }
  return joined(labels, ", ");
}

std::string print(const Metrics& metrics) {
  std::string text;
  for (const Group& group : groups()) {
    text += std::string(text.empty() ? "" : "\n") + "## " + group.title + "\n\n" + group.note +
            "\n\n| metric | type | labels | meaning |\n|---|---|---|---|\n";
    for (const auto& [name, metric] : metrics) {
      if (group_of(name) != &group) continue;
      text += "| " + code(name) + " | " + metric.type + " | " + print_labels(metric) + " | " + metric.help + " |\n";
    }
  }
  return text;
}

// ---- the sources ---------------------------------------------------------------------------------------------------

// Returns the names in calls of MetricsRegistry in the sources of the operator, without prefixes that are computed.
std::set<std::string> names_in_sources() {
  static const std::regex call(R"re((?:\bcounter|\bgauge|\bhistogram|\bmetric_name|\bname|\bset)\(\s*"([a-z_]+)")re");
  static const std::regex full(R"re("((?:pintle|controller_runtime|rest_client|workqueue)_[a-z_]+)")re");
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::recursive_directory_iterator("src")) {
    const std::string path = entry.path().string();
    const bool is_source = path.ends_with(".cpp") || path.ends_with(".hpp");
    const bool is_test =
        path.ends_with("_test.cpp") || path.ends_with("test_support.hpp") || path.ends_with("_bench.cpp");
    if (!is_source || is_test || path.starts_with("src/apiserver/")) continue;
    const std::string text = read_document(path);
    if (text.find("etrics") == std::string::npos) continue;
    for (const std::regex& pattern : {call, full}) {
      for (std::sregex_iterator found(text.begin(), text.end(), pattern), end; found != end; ++found) {
        names.insert((*found)[1]);
      }
    }
  }
  return names;
}

// `short_name` may lack the prefix of a pattern, such as "operatorkit_framework_".
bool is_registered(const Metrics& metrics, const std::string& short_name) {
  return std::ranges::any_of(
      metrics, [&](const auto& one) { return one.first == short_name || one.first.ends_with("_" + short_name); });
}

// The names in the PromQL of the page, without the functions and labels of PromQL.
std::set<std::string> names_in_queries(const std::string& page) {
  static const std::regex block("```promql\n([^`]*)```");
  static const std::regex name(
      "\\b((?:controller_runtime|workqueue|rest_client|leader_election|informer|pintle)_[a-z_]+)");
  std::set<std::string> names;
  for (std::sregex_iterator found(page.begin(), page.end(), block), end; found != end; ++found) {
    const std::string query = (*found)[1];
    for (std::sregex_iterator in(query.begin(), query.end(), name); in != end; ++in) names.insert((*in)[1]);
  }
  return names;
}

TEST(ReferencePages, MetricsAreThoseOfAnOperatorThatUsesEverything) {
  const Metrics metrics = read_metrics(all_metrics());

  for (const auto& [name, metric] : metrics) {
    EXPECT_NE(group_of(name), nullptr) << name << " is in no group of this test; add it to groups()";
    EXPECT_FALSE(metric.help.empty()) << name;
  }
  // A sanitizer makes regular expressions slow and would find nothing new in the sources.
  const std::set<std::string> in_sources = is_sanitized ? std::set<std::string>() : names_in_sources();
  EXPECT_TRUE(is_sanitized || in_sources.size() > 50) << in_sources.size();
  for (const std::string& name : in_sources) {
    EXPECT_TRUE(is_registered(metrics, name))
        << "a source has the metric " << name << ", which the operator of this test does not register; extend it";
  }
  check_generated_part("docs/metrics.md", print(metrics));
}

TEST(ReferencePages, QueriesUseExistingMetrics) {
  const std::string page = read_document("docs/metrics.md");
  const std::set<std::string> names = names_in_queries(page);

  EXPECT_GT(names.size(), 10U);
  for (std::string name : names) {
    const bool exists = page.find("| `" + name + "` |") != std::string::npos;
    for (const std::string_view part : {"_bucket", "_sum", "_count"}) {
      if (!exists && name.ends_with(part)) name.resize(name.size() - part.size());
    }
    EXPECT_NE(page.find("| `" + name + "` |"), std::string::npos) << name;
  }
}

}  // namespace
}  // namespace pintle::testkit::reference_pages
