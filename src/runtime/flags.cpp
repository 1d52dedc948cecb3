#include "flags.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

namespace pintle {
namespace {

// One line, as CLI11's messages may have several.
std::string one_line(std::string text) {
  for (char& c : text) {
    if (c == '\n') c = ' ';
  }
  return text;
}

template <class T>
using Names = std::map<std::string, T>;

const Names<Crds> crds_names{{"never", Crds::never}, {"if_missing", Crds::if_missing}, {"upgrade", Crds::upgrade}};
const Names<LogLevel> level_names{{"debug", LogLevel::debug},
                                  {"info", LogLevel::info},
                                  {"warning", LogLevel::warning},
                                  {"error", LogLevel::error},
                                  {"off", LogLevel::off}};
const Names<LogFormat> format_names{{"text", LogFormat::text}, {"json", LogFormat::json}};

// Takes the value of this name; throws, as CLI11 expects, naming those there are.
template <class T>
bool choose(const CLI::results_t& given, const Names<T>& names, T& value) {
  const auto found = names.find(given.back());
  if (found == names.end()) {
    std::string known;
    for (const auto& [name, one] : names) known += (known.empty() ? "" : ", ") + name;
    throw CLI::ValidationError("\"" + given.back() + "\" is not one of " + known);
  }
  value = found->second;
  return true;
}

const std::vector<std::pair<std::string_view, Duration>>& units() {
  static const std::vector<std::pair<std::string_view, Duration>> all{{"ms", std::chrono::milliseconds(1)},
                                                                      {"s", std::chrono::seconds(1)},
                                                                      {"m", std::chrono::minutes(1)},
                                                                      {"h", std::chrono::hours(1)}};
  return all;
}

// "15s", "1m30s", "1.5h": positive numbers, each with its unit.
std::optional<Duration> duration_of(std::string_view text) {
  constexpr double longest = 100.0 * 365 * 24 * 3600;  // seconds; more would overflow
  Duration sum{};
  if (text.empty()) return std::nullopt;
  while (!text.empty()) {
    double number = 0;
    const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), number, std::chars_format::fixed);
    if (fault != std::errc{} || !(number >= 0)) return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    const std::string_view name = text.substr(0, text.find_first_of("0123456789."));
    const auto unit = std::find_if(units().begin(), units().end(), [&](const auto& one) { return one.first == name; });
    if (unit == units().end()) return std::nullopt;
    text.remove_prefix(name.size());
    const double seconds = number * std::chrono::duration<double>(unit->second).count();
    if (seconds > longest) return std::nullopt;
    sum += std::chrono::round<Duration>(std::chrono::duration<double>(seconds));
  }
  return sum;
}

bool read_duration(const CLI::results_t& given, Duration& value) {
  const auto duration = duration_of(given.back());
  if (!duration) throw CLI::ValidationError("\"" + given.back() + "\" is not a duration such as 15s, 500ms or 1m30s");
  value = *duration;
  return true;
}

// Flags on top of what the code says of leader election, and on top of its defaults where it says nothing.
class ElectionFlags {
 public:
  ElectionFlags(CLI::App& app, std::optional<LeaderElectionOptions>& options)
      : options_(options), is_on_(options.has_value()), read_(options.value_or(LeaderElectionOptions{})) {
    app.add_flag("--leader-elect,!--no-leader-elect", is_on_,
                 "Work only while holding a Lease, so that one of several instances does; or not, with --no-");
    const auto text = [&](const char* flag, std::string& value, const char* help) {
      details_.push_back(app.add_option(flag, value, help)->type_name("NAME"));
    };
    const auto duration = [&](const char* flag, Duration& value, const char* help) {
      details_.push_back(
          app.add_option(
                 flag, [&value](const CLI::results_t& given) { return read_duration(given, value); }, help)
              ->type_name("DURATION"));
    };
    text("--leader-elect-name", read_.name, "Name of the Lease; else that of the operator");
    text("--leader-elect-namespace", read_.namespace_, "Its namespace; else that of the pod or of the context");
    text("--leader-elect-identity", read_.identity, "Who we are there; else the host name and a random number");
    duration("--leader-elect-lease-duration", read_.lease_duration,
             "How long others wait for a silent leader; else 15s");
    duration("--leader-elect-renew-deadline", read_.renew_deadline,
             "A leader that cannot renew gives up then; else 10s");
    duration("--leader-elect-retry-period", read_.retry_period, "Time between two tries; else 2s");
  }
  ElectionFlags(const ElectionFlags&) = delete;
  ElectionFlags& operator=(const ElectionFlags&) = delete;

  Result<void> take() {
    for (const CLI::Option* detail : details_) {
      if (detail->count() != 0 && !is_on_)
        return fail(ErrorCode::invalid, detail->get_name() + " needs --leader-elect");
    }
    options_.reset();
    if (is_on_) options_ = read_;
    return {};
  }

 private:
  std::optional<LeaderElectionOptions>& options_;
  bool is_on_;
  LeaderElectionOptions read_;
  std::vector<const CLI::Option*> details_;
};

}  // namespace

Result<Flags> read_flags(ManagerOptions& options) {
  Flags flags;
  if (options.args.argc == 0) return flags;
  CLI::App app("Kubernetes operator " + options.name + " " + options.version, options.name);
  app.set_help_flag();
  bool help = false;
  app.add_flag("-h,--help", help, "Print this and exit");
  app.add_option("--kubeconfig", options.kubeconfig,
                 "File that says which cluster; else $KUBECONFIG, the pod's service account, ~/.kube/config")
      ->type_name("FILE");
  app.add_option("--context", options.context, "Context of the kubeconfig; else its current one")->type_name("NAME");
  app.add_option("--namespace", options.namespace_, "Watch this namespace alone; else all")->type_name("NAME");
  app.add_option("--listen", options.listen,
                 "Serve /healthz, /readyz and /metrics here; :PORT is for this machine alone, 0.0.0.0:PORT for all; "
                 "else nowhere")
      ->type_name("HOST:PORT");
  app.add_flag("--debug", options.debug, "Serve /debug/ there too: what the controllers do and why");
  app.add_flag("--profiling", options.serving.profiling, "Serve /debug/profile and /debug/heap there too");
  app.add_flag("--tls", options.serving.tls, "Serve https, with a certificate made for this run unless one is given");
  app.add_option("--tls-cert-file", options.serving.certificate_file,
                 "Serve https with this certificate and its chain, read again when it changes")
      ->type_name("FILE");
  app.add_option("--tls-private-key-file", options.serving.key_file, "Its key")->type_name("FILE");
  app.add_flag("--authorize", options.serving.authorize,
               "Show /metrics and /debug/ only to tokens that the cluster lets see them (TokenReview, "
               "SubjectAccessReview)");
  app.add_option(
         "--crds", [&](const CLI::results_t& given) { return choose(given, crds_names, options.crds); },
         "What to do about missing custom resource definitions: never, if_missing or upgrade")
      ->type_name("POLICY");
  app.add_option(
         "--log-level", [&](const CLI::results_t& given) { return choose(given, level_names, options.log_level); },
         "debug, info, warning, error or off")
      ->type_name("LEVEL");
  app.add_option(
         "--log-format", [&](const CLI::results_t& given) { return choose(given, format_names, options.log_format); },
         "text or json; else text on a terminal and JSON elsewhere")
      ->type_name("FORMAT");
  ElectionFlags election(app, options.leader_election);
  app.add_flag("--print-crds", flags.print_crds, "Print the definitions of its custom resources as YAML and exit");
  app.add_flag("--print-rbac", flags.print_rbac, "Print the roles that it needs, for these flags, as YAML and exit");
  try {
    app.parse(options.args.argc, options.args.argv);
  } catch (const CLI::ParseError& error) {
    return fail(ErrorCode::invalid, one_line(error.what()) + " (--help lists the flags)");
  }
  if (auto taken = election.take(); !taken) return fail(std::move(taken.error()));
  if (help) flags.help = app.help();
  return flags;
}

}  // namespace pintle
