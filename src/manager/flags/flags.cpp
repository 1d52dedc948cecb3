// SPDX-License-Identifier: Apache-2.0
#include "flags.hpp"

#include <cstddef>
#include <iterator>
#include <optional>
#include <set>
#include <utility>
#include <variant>

#include <pintle/base/file.hpp>

#include "feature_gates.hpp"
#include "flag_reference.hpp"
#include "flag_sources.hpp"

namespace pintle {
namespace {

const Names<CrdPolicy> crds_names{{"never", CrdPolicy::never},
                                  {"if_missing", CrdPolicy::if_missing},
                                  {"upgrade", CrdPolicy::upgrade},
                                  {"adopt", CrdPolicy::adopt}};
const Names<WebhookPolicy> webhook_names{
    {"never", WebhookPolicy::never}, {"if_missing", WebhookPolicy::if_missing}, {"upgrade", WebhookPolicy::upgrade}};
const Names<LogLevel> level_names{{"debug", LogLevel::debug},
                                  {"info", LogLevel::info},
                                  {"warning", LogLevel::warning},
                                  {"error", LogLevel::error},
                                  {"off", LogLevel::off}};
const Names<DeployFormat> deploy_names{
    {"yaml", DeployFormat::yaml}, {"kustomize", DeployFormat::kustomize}, {"helm", DeployFormat::helm}};
const Names<std::optional<Shell>> shell_names{{"bash", Shell::bash}, {"zsh", Shell::zsh}, {"fish", Shell::fish}};
const Names<LogFormat> format_names{{"text", LogFormat::text}, {"json", LogFormat::json}};

// The flags of leader election. Their defaults are the options in the code, or else those of LeaderElectionOptions.
struct Election {
  explicit Election(const std::optional<LeaderElectionOptions>& options)
      : is_on(options.has_value()), details(options.value_or(LeaderElectionOptions{})) {}

  bool is_on;
  LeaderElectionOptions details;
};

// The flags that are not stored in ManagerOptions directly.
struct Targets {
  Election& election;
  Flags& flags;
  std::string& config;
  std::optional<Shell>& shell;
  bool& man;
};

// An initializer list of vectors copies each element; this moves them.
template <class T, std::size_t N>
std::vector<T> moved(T (&&all)[N]) {
  return {std::make_move_iterator(std::begin(all)), std::make_move_iterator(std::end(all))};
}

// The flags of --print-deploy.
std::vector<FlagRow> rows_of(DeployOptions& deploy) {
  std::vector<FlagRow> rows = moved<FlagRow>(
      {{"format", one_of(deploy_names, deploy.format, "FORMAT"), "Form of --print-deploy: yaml, kustomize or helm"},
       {"deploy-out", text(deploy.out, "DIR"), "Folder for the files of --print-deploy (default: standard output)"},
       {"deploy-image", text(deploy.image, "IMAGE"), "Image of the operator (default: its name and version)"},
       {"deploy-namespace", text(deploy.namespace_, "NAME"),
        "Namespace of the operator; a chart uses that of the release (default: name of the operator)"},
       {"deploy-replicas", number(deploy.replicas), "Number of instances; 0: two with leader election, otherwise one"},
       {"deploy-service-monitor", on_or_off(deploy.has_service_monitor),
        "Also print a ServiceMonitor of the Prometheus operator"}});
  for (FlagRow& row : rows) row.last = FlagSource::command_line;
  return rows;
}

// Returns the given flags that an operator in a cluster also needs.
std::vector<DeployedFlag> deployed_flags(const FlagTable& table, const GivenFlags& given) {
  const std::set<std::string> of_this_machine{"config", "kubeconfig", "context"};
  std::vector<DeployedFlag> flags;
  for (const FlagGroup& group : table) {
    for (const FlagRow& row : group.rows) {
      const auto found = given.find(row.name);
      if (found == given.end() || row.last == FlagSource::command_line || of_this_machine.contains(row.name)) continue;
      const std::string& text = found->second.text;
      const bool is_switch = row.value.is_switch;
      flags.push_back({.name = row.name,
                       .text = is_switch ? (parse_switch(text).value_or(false) ? "true" : "false") : text,
                       .is_switch = is_switch});
    }
  }
  return flags;
}

FlagTable table_of(ManagerOptions& o, const Targets& targets) {
  LeaderElectionOptions& lease = targets.election.details;
  FlagTable table = moved<FlagGroup>(
      {{"Options",
        moved<FlagRow>(
            {{"config", text(targets.config, "FILE"), "YAML file with flags", FlagSource::environment},
             {"kubeconfig", text(o.kubeconfig, "FILE"),
              "Kubeconfig file (default: $KUBECONFIG, the service account of the pod, ~/.kube/config)"},
             {"context", text(o.context, "NAME"), "Context of the kubeconfig (default: its current context)"},
             {"namespace", namespaces(o.namespaces),
              "Namespaces to watch, separated by commas or in several flags, or all", FlagSource::file, true},
             {"namespace-selector", text(o.namespace_selector, "LABELS"),
              "Labels of the namespaces to watch, such as \"team=a\" (default: off)"},
             {"listen", text(o.listen, "HOST:PORT"),
              "Address of /healthz, /readyz and /metrics (default: off); :PORT accepts connections from this machine "
              "only, 0.0.0.0:PORT from all"},
             {"debug", on_or_off(o.debug), "Also serve the console at / and the debug API at /debug/v1/"},
             {"debug-history", number(o.debug_history), "Number of reconciles that --debug keeps"},
             {"profiling", on_or_off(o.serving.profiling), "Also serve /debug/profile and /debug/heap"},
             {"tls", on_or_off(o.serving.tls),
              "Serve HTTPS, with a generated certificate unless certificate files are given"},
             {"tls-cert-file", text(o.serving.certificate_file, "FILE"),
              "Certificate with its chain for HTTPS; read again after a change"},
             {"tls-private-key-file", text(o.serving.key_file, "FILE"), "Private key of the certificate"},
             {"authorize", on_or_off(o.serving.authorize),
              "Restrict /metrics and /debug/ to tokens with access in the cluster (TokenReview, SubjectAccessReview)"},
             {"authorize-audience", text(o.serving.audience, "NAME"),
              "Required audience of these tokens (default: that of the API server)"},
             {"crds", one_of(crds_names, o.crds, "POLICY"),
              "CRDs to install at start: never, if_missing, upgrade (also replace those of this operator), adopt (also "
              "take over those without a manager)"},
             {"restore-crds", on_or_off(o.restore_crds),
              "Install a CRD again that is deleted while the operator runs, unless --crds is never"},
             {"migrate-storage", on_or_off(o.migrate_storage),
              "Store objects that are in an earlier version of their CRD again, and remove that version from "
              "storedVersions"},
             {"sync-timeout", duration(o.sync_timeout),
              "Limit of each step of the start; transient errors are retried until then"},
             {"log-level", one_of(level_names, o.log_level, "LEVEL"),
              "Minimum log level: debug, info, warning, error or off"},
             {"log-format", one_of(format_names, o.log_format, "FORMAT"),
              "text or json (default: text on a terminal, otherwise json)"},
             {"state-dir", text(o.state_dir, "DIR"),
              "Directory that stores which keys are being reconciled, to delay an object whose reconciles crash the "
              "process (default: off)"},
             {"print-crds", on_or_off(targets.flags.print_crds), "Print the CRDs of this operator as YAML and exit",
              FlagSource::command_line},
             {"print-rbac", on_or_off(targets.flags.print_rbac),
              "Print the required roles for these flags as YAML and exit", FlagSource::command_line},
             {"print-webhooks", on_or_off(targets.flags.print_webhooks),
              "Print the webhook configurations of this operator as YAML and exit", FlagSource::command_line},
             {"print-deploy", on_or_off(targets.flags.print_deploy),
              "Print all manifests that run this operator in a cluster with these flags, and exit",
              FlagSource::command_line},
             {"print-completion", one_of(shell_names, targets.shell, "SHELL"),
              "Print the completion of these flags for bash, zsh or fish, and exit", FlagSource::command_line},
             {"print-man", on_or_off(targets.man), "Print the man page of this operator and exit",
              FlagSource::command_line},
             {"plan", text(targets.flags.plan, "KIND/NAME"),
              "Reconcile this object once without writing, print what would be written as a difference, and exit; also "
              "KIND/NAMESPACE/NAME",
              FlagSource::command_line},
             {"version", on_or_off(targets.flags.version),
              "Print the versions of this operator and of pintle, and exit", FlagSource::command_line}})},
       {"Leader election",
        moved<FlagRow>({{"leader-elect", on_or_off(targets.election.is_on),
                         "Reconcile only while holding a Lease, so that one of several instances works"},
                        {"leader-elect-resource-name", text(lease.name, "NAME"),
                         "Name of the Lease (default: name of the operator)"},
                        {"leader-elect-resource-namespace", text(lease.namespace_, "NAME"),
                         "Namespace of the Lease (default: that of the pod or of the context)"},
                        {"leader-elect-identity", text(lease.identity, "NAME"),
                         "Identity of this instance in the Lease (default: host name and a random number)"},
                        {"leader-elect-lease-duration", duration(lease.lease_duration),
                         "Time without a renewal after which others may take the Lease"},
                        {"leader-elect-renew-deadline", duration(lease.renew_deadline),
                         "Time without a renewal after which the leader stops"},
                        {"leader-elect-retry-period", duration(lease.retry_period),
                         "Time between two attempts to take or renew the Lease"}})},
       {"Webhooks",
        moved<FlagRow>(
            {{"webhook-listen", text(o.webhooks.listen, "HOST:PORT"),
              "Address of the webhooks (default: off); :PORT accepts connections from all machines"},
             {"webhook-cert-file", text(o.webhooks.certificate_file, "FILE"),
              "Certificate with its chain (default: that of --webhook-secret); read again after a change"},
             {"webhook-key-file", text(o.webhooks.key_file, "FILE"), "Private key of the certificate"},
             {"webhook-ca-file", text(o.webhooks.ca_file, "FILE"),
              "Authorities of the certificate, for the webhook configurations and CRDs; read again after a change"},
             {"webhook-secret", text(o.webhooks.secret, "NAME"),
              "Secret in which the instances share a certificate, which they make and renew (default: NAME-webhooks, "
              "with the name of the operator)"},
             {"webhook-foreign-secret", text(o.webhooks.foreign_secret, "NAME"),
              "Secret of another program with the certificate; it is never written"},
             {"webhook-url", text(o.webhooks.url, "URL"),
              "https://HOST:PORT at which the API server reaches the webhooks (default: the service)"},
             {"webhook-service", text(o.webhooks.service, "NAME"),
              "Service of the webhooks (default: name of the operator)"},
             {"webhook-service-namespace", text(o.webhooks.service_namespace, "NAME"),
              "Namespace of that service (default: that of the pod or of the context; --print-crds and "
              "--print-webhooks need the flag)"},
             {"webhook-threads", number(o.webhooks.threads),
              "Number of threads for admissions, and again for conversions"},
             {"webhook-drain", duration(o.webhooks.drain),
              "Time for which the webhooks are still served after a stop is requested, at most the time of the stop "
              "(default: 5s in a pod, otherwise 0s)"},
             {"webhook-install", one_of(webhook_names, o.webhooks.install, "POLICY"),
              "Webhook configurations to write at start: never, if_missing, upgrade (also replace those of this "
              "operator)"}})},
       {"Manifests", rows_of(targets.flags.deploy)},
       {"Other clusters", {}},
       {"Flags of " + o.name, {}}});
  if (!o.feature_gates.empty()) {
    table.front().rows.push_back({"feature-gates", value_of(o.feature_gates, targets.flags.warnings),
                                  help_of(o.feature_gates), FlagSource::file, true});
  }
  for (NamedCluster& cluster : o.clusters) {
    const std::string& name = cluster.name.value();
    std::vector<FlagRow>& rows = table[table.size() - 2].rows;
    rows.push_back({name + "-kubeconfig", text(cluster.kubeconfig, "FILE"), "Kubeconfig file of cluster " + name});
    rows.push_back({name + "-context", text(cluster.context, "NAME"),
                    "Context of that kubeconfig (default: its current context)"});
  }
  for (const Flag& flag : o.flags) {
    table.back().rows.push_back({.name = flag.name,
                                 .value = value_of(flag),
                                 .help = flag.help,
                                 .is_list = std::holds_alternative<std::vector<std::string>*>(flag.value),
                                 .is_required = flag.required});
  }
  return table;
}

Result<void> take(const FlagRow& row, const GivenFlags& given) {
  const auto found = given.find(row.name);
  if (found == given.end()) return {};
  auto read = row.value.read(found->second.text);
  if (!read) read.error().message.insert(0, found->second.where + ": ");
  return read;
}

// A flag of leader election without --leader-elect is an error, unless a source with higher precedence has disabled
// leader election.
Result<void> take(const Election& election, const GivenFlags& given, std::optional<LeaderElectionOptions>& options) {
  const auto choice = given.find("leader-elect");
  for (const auto& [name, detail] : given) {
    if (election.is_on || name == "leader-elect" || !name.starts_with("leader-elect-")) continue;
    if (choice != given.end() && choice->second.source < detail.source) continue;
    return fail(ErrorCode::invalid, detail.where + " requires --leader-elect");
  }
  options.reset();
  if (election.is_on) options = election.details;
  return {};
}

// Whether a flag that determines all that the operator prints is given, and not switched off.
bool asks_for(const GivenFlags& given, const char* name) {
  const auto found = given.find(name);
  return found != given.end() && parse_switch(found->second.text).value_or(true);
}

// Returns the texts of all sources. If several sources set a flag, the one with the highest precedence is used.
Result<GivenFlags> gather(const FlagTable& table, const ManagerOptions& options, Flags& flags) {
  auto line = read_command_line(table, options);
  if (!line) return fail(std::move(line.error()));
  flags.text = std::move(line->help);
  if (!flags.text.empty()) return GivenFlags{};
  GivenFlags given = std::move(line->given);
  // Errors in other settings do not matter for these flags.
  for (const char* name : {"version", "print-completion", "print-man"}) {
    if (asks_for(given, name)) return GivenFlags{{name, given.at(name)}};
  }
  Environment environment = read_environment(table, options);
  flags.warnings.insert(flags.warnings.end(), environment.warnings.begin(), environment.warnings.end());
  given.merge(environment.given);
  if (const auto config = given.find("config"); config != given.end()) {
    const std::string& name = config->second.text;
    auto text = read_file(name);
    if (!text) {
      text.error().message += "; specify a readable file";
      return fail(std::move(text.error()).with_operation(config->second.where));
    }
    auto file = read_config(table, name, *text);
    if (!file) return fail(std::move(file.error()));
    given.merge(*file);
  }
  return given;
}

// Returns an error that lists the required flags that no source has.
Result<void> check_required(const FlagTable& table, const GivenFlags& given, const std::string& prefix) {
  std::string missing;
  for (const FlagGroup& group : table) {
    for (const FlagRow& row : group.rows) {
      if (!row.is_required || given.contains(row.name)) continue;
      missing += (missing.empty() ? "--" : ", --") + row.name + " (or " + variable_of(prefix, row.name) + ")";
    }
  }
  if (missing.empty()) return {};
  return fail(ErrorCode::invalid, "these flags are required: " + missing);
}

// The prefix is the beginning of a name of a variable.
Result<void> check_prefix(const std::string& prefix) {
  const bool is_valid = prefix.size() > 1 && prefix.front() >= 'A' && prefix.front() <= 'Z' && prefix.ends_with('_') &&
                        prefix.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == std::string::npos;
  if (is_valid) return {};
  return fail(ErrorCode::invalid, ".environment_prefix \"" + prefix +
                                      "\" is invalid; use upper-case letters, digits and underscores, with a letter "
                                      "at the beginning and an underscore at the end");
}

// Must be called before the pointers are used.
Result<void> check(const std::vector<Flag>& own) {
  for (const Flag& flag : own) {
    if (!std::visit([](const auto* value) { return value != nullptr; }, flag.value)) {
      return fail(ErrorCode::invalid, "flag " + flag.name + " has a null .value; set it to the address of a variable");
    }
  }
  return {};
}

// Two clusters with one name would have the same flags.
Result<void> check(const std::vector<NamedCluster>& clusters) {
  std::set<std::string> names;
  for (const NamedCluster& cluster : clusters) {
    const std::string& name = cluster.name.value();
    if (names.insert(name).second) continue;
    return fail(ErrorCode::invalid, "two clusters have the name \"" + name + "\"; change the .name of one of them");
  }
  return {};
}

// One of these flags determines all that the operator prints.
Result<void> check_output(const Flags& flags) {
  std::string wanted;
  int count = 0;
  const auto add = [&](bool is_set, const char* name) {
    if (!is_set) return;
    wanted += (count++ == 0 ? "--" : " and --") + std::string(name);
  };
  add(flags.print_crds, "print-crds");
  add(flags.print_rbac, "print-rbac");
  add(flags.print_webhooks, "print-webhooks");
  add(flags.print_deploy, "print-deploy");
  add(!flags.plan.empty(), "plan");
  if (count < 2) return {};
  return fail(ErrorCode::invalid, "use only one of " + wanted + "; --print-deploy prints all manifests");
}

Result<Flags> read_all(ManagerOptions& options) {
  if (auto sound = check_prefix(options.environment_prefix); !sound) return fail(std::move(sound.error()));
  if (auto sound = check(options.flags); !sound) return fail(std::move(sound.error()));
  if (auto sound = check(options.clusters); !sound) return fail(std::move(sound.error()));
  if (auto sound = check(options.feature_gates); !sound) return fail(std::move(sound.error()));
  set_defaults(options.feature_gates);
  Flags flags;
  Election election(options.leader_election);
  std::string config;
  std::optional<Shell> shell;
  bool man = false;
  const FlagTable table = table_of(options, {election, flags, config, shell, man});
  if (auto sound = check(table); !sound) return fail(std::move(sound.error()));
  const auto given = gather(table, options, flags);
  if (!given) return fail(given.error());
  const bool shows_text = !flags.text.empty() || asks_for(*given, "version") || asks_for(*given, "print-completion") ||
                          asks_for(*given, "print-man");
  if (!shows_text) {
    auto complete = check_required(table, *given, options.environment_prefix);
    if (!complete) return fail(std::move(complete.error()));
  }
  for (const FlagGroup& group : table) {
    for (const FlagRow& row : group.rows) {
      if (auto taken = take(row, *given); !taken) return fail(std::move(taken.error()));
    }
  }
  if (auto taken = take(election, *given, options.leader_election); !taken) return fail(std::move(taken.error()));
  if (auto one = check_output(flags); !one) return fail(std::move(one.error()));
  flags.deployed = deployed_flags(table, *given);
  for (const FlagRow& row : rows_of(flags.deploy)) {
    if (flags.print_deploy || !given->contains(row.name)) continue;
    return fail(ErrorCode::invalid, "--" + row.name + " requires --print-deploy");
  }
  if (shell) flags.text = print_completion(reference_of(table, options), *shell);
  if (man) flags.text = print_man_page(reference_of(table, options));
  return flags;
}

}  // namespace

std::string version_line(const ManagerOptions& options) {
  return options.name + " " + options.version + " (pintle " PINTLE_VERSION ")\n";
}

Result<Flags> read_flags(ManagerOptions& options) {
  if (options.args.argc == 0) {
    if (auto sound = check(options.feature_gates); !sound) return fail(std::move(sound.error()));
    set_defaults(options.feature_gates);
    return Flags{};
  }
  auto flags = read_all(options);
  if (!flags) flags.error().message += " (--help lists the flags)";
  return flags;
}

}  // namespace pintle
