#include "flags.hpp"

#include <optional>
#include <utility>

#include <pintle/base/file.hpp>

#include "flag_sources.hpp"

namespace pintle {
namespace {

const Names<Crds> crds_names{
    {"never", Crds::never}, {"if_missing", Crds::if_missing}, {"upgrade", Crds::upgrade}, {"adopt", Crds::adopt}};
const Names<LogLevel> level_names{{"debug", LogLevel::debug},
                                  {"info", LogLevel::info},
                                  {"warning", LogLevel::warning},
                                  {"error", LogLevel::error},
                                  {"off", LogLevel::off}};
const Names<LogFormat> format_names{{"text", LogFormat::text}, {"json", LogFormat::json}};

// On top of what the code says of leader election, and on top of its defaults where it says nothing.
struct Election {
  explicit Election(const std::optional<LeaderElectionOptions>& options)
      : is_on(options.has_value()), details(options.value_or(LeaderElectionOptions{})) {}

  bool is_on;
  LeaderElectionOptions details;
};

// What is read besides options.
struct Targets {
  Election& election;
  Flags& flags;
  std::string& config;
};

FlagTable table_of(ManagerOptions& o, const Targets& targets) {
  LeaderElectionOptions& lease = targets.election.details;
  FlagTable table{
      {"Options",
       {{"config", text(targets.config, "FILE"), "YAML file with flags; see below", FlagSource::environment},
        {"kubeconfig", text(o.kubeconfig, "FILE"),
         "File that says which cluster; else $KUBECONFIG, the pod's service account, ~/.kube/config"},
        {"context", text(o.context, "NAME"), "Context of the kubeconfig; else its current one"},
        {"namespace", text(o.namespace_, "NAME"), "Watch this namespace alone; else all"},
        {"listen", text(o.listen, "HOST:PORT"),
         "Serve /healthz, /readyz and /metrics here; :PORT is for this machine alone, 0.0.0.0:PORT for all; else "
         "nowhere"},
        {"debug", on_or_off(o.debug), "Serve /debug/ there too: what the controllers do and why"},
        {"profiling", on_or_off(o.serving.profiling), "Serve /debug/profile and /debug/heap there too"},
        {"tls", on_or_off(o.serving.tls), "Serve https, with a certificate made for this run unless one is given"},
        {"tls-cert-file", text(o.serving.certificate_file, "FILE"),
         "Serve https with this certificate and its chain, read again when it changes"},
        {"tls-private-key-file", text(o.serving.key_file, "FILE"), "Its key"},
        {"authorize", on_or_off(o.serving.authorize),
         "Show /metrics and /debug/ only to tokens that the cluster lets see them (TokenReview, SubjectAccessReview)"},
        {"authorize-audience", text(o.serving.audience, "NAME"),
         "Audience that those tokens must be for; else that of the API server"},
        {"crds", one_of(crds_names, o.crds, "POLICY"),
         "What to do about custom resource definitions: never install, install if_missing, upgrade ours, adopt others"},
        {"restore-definitions", on_or_off(o.restore_definitions),
         "Install a definition again that is deleted while the operator runs, unless --crds is never"},
        {"sync-timeout", duration(o.sync_timeout),
         "Limit of each step of the start: transient errors are tried again until then"},
        {"log-level", one_of(level_names, o.log_level, "LEVEL"), "debug, info, warning, error or off"},
        {"log-format", one_of(format_names, o.log_format, "FORMAT"),
         "text or json; else text on a terminal and JSON elsewhere"},
        {"state-dir", text(o.state_dir, "DIR"),
         "Keep here which objects are in work, and hold one back on which it keeps dying; else nowhere"},
        {"print-crds", on_or_off(targets.flags.print_crds),
         "Print the definitions of its custom resources as YAML and exit", FlagSource::command_line},
        {"print-rbac", on_or_off(targets.flags.print_rbac),
         "Print the roles that it needs, for these flags, as YAML and exit", FlagSource::command_line}}},
      {"Leader election",
       {{"leader-elect", on_or_off(targets.election.is_on),
         "Work only while holding a Lease, so that one of several instances does"},
        {"leader-elect-name", text(lease.name, "NAME"), "Name of the Lease; else that of the operator"},
        {"leader-elect-namespace", text(lease.namespace_, "NAME"),
         "Its namespace; else that of the pod or of the context"},
        {"leader-elect-identity", text(lease.identity, "NAME"),
         "Who we are there; else the host name and a random number"},
        {"leader-elect-lease-duration", duration(lease.lease_duration), "How long others wait for a silent leader"},
        {"leader-elect-renew-deadline", duration(lease.renew_deadline), "A leader that cannot renew gives up then"},
        {"leader-elect-retry-period", duration(lease.retry_period), "Time between two tries"}}},
      {"Other clusters", {}},
      {"Of " + o.name, {}}};
  for (NamedCluster& cluster : o.clusters) {
    const std::string& name = cluster.name.value();
    std::vector<FlagRow>& rows = table[table.size() - 2].rows;
    rows.push_back({name + "-kubeconfig", text(cluster.kubeconfig, "FILE"), "File that says where " + name + " is"});
    rows.push_back({name + "-context", text(cluster.context, "NAME"), "Context of that kubeconfig"});
  }
  for (const Flag& flag : o.flags) table.back().rows.push_back({flag.name, value_of(flag), flag.help});
  return table;
}

Result<void> take(const FlagRow& row, const GivenFlags& given) {
  const auto found = given.find(row.name);
  if (found == given.end()) return {};
  auto read = row.value.read(found->second.text);
  if (!read) read.error().message.insert(0, found->second.where + ": ");
  return read;
}

// A detail of an election that is off is a mistake, unless a source that counts before put the election off.
Result<void> take(const Election& election, const GivenFlags& given, std::optional<LeaderElectionOptions>& options) {
  const auto choice = given.find("leader-elect");
  for (const auto& [name, detail] : given) {
    if (election.is_on || name == "leader-elect" || !name.starts_with("leader-elect-")) continue;
    if (choice != given.end() && choice->second.source < detail.source) continue;
    return fail(ErrorCode::invalid, detail.where + " needs --leader-elect");
  }
  options.reset();
  if (election.is_on) options = election.details;
  return {};
}

// The texts of all sources; of several for one flag, that which counts first.
Result<GivenFlags> gather(const FlagTable& table, const ManagerOptions& options, Flags& flags) {
  auto line = read_command_line(table, options);
  if (!line) return fail(std::move(line.error()));
  flags.help = std::move(line->help);
  if (!flags.help.empty()) return GivenFlags{};
  GivenFlags given = std::move(line->given);
  Environment environment = read_environment(table, options.args);
  flags.warnings = std::move(environment.warnings);
  given.merge(environment.given);
  if (const auto config = given.find("config"); config != given.end()) {
    const std::string& name = config->second.text;
    auto text = read_file(name);
    if (!text) return fail(std::move(text.error()).during(config->second.where));
    auto file = read_config(table, name, *text);
    if (!file) return fail(std::move(file.error()));
    given.merge(*file);
  }
  return given;
}

// Before anything points where they point.
Result<void> check(const std::vector<Flag>& own) {
  for (const Flag& flag : own) {
    if (!std::visit([](const auto* value) { return value != nullptr; }, flag.value)) {
      return fail(ErrorCode::invalid, "flag " + flag.name + " has no value to write to: set .value");
    }
  }
  return {};
}

Result<Flags> read_all(ManagerOptions& options) {
  if (auto sound = check(options.flags); !sound) return fail(std::move(sound.error()));
  Flags flags;
  Election election(options.leader_election);
  std::string config;
  const FlagTable table = table_of(options, {election, flags, config});
  if (auto sound = check(table); !sound) return fail(std::move(sound.error()));
  const auto given = gather(table, options, flags);
  if (!given) return fail(given.error());
  for (const FlagGroup& group : table) {
    for (const FlagRow& row : group.rows) {
      if (auto taken = take(row, *given); !taken) return fail(std::move(taken.error()));
    }
  }
  if (auto taken = take(election, *given, options.leader_election); !taken) return fail(std::move(taken.error()));
  return flags;
}

}  // namespace

Result<Flags> read_flags(ManagerOptions& options) {
  if (options.args.argc == 0) return Flags{};
  auto flags = read_all(options);
  if (!flags) flags.error().message += " (--help lists the flags)";
  return flags;
}

}  // namespace pintle
