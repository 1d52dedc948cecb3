#include "flags.hpp"

#include <map>

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
  app.add_option("--listen", options.listen, "Serve /healthz, /readyz and /metrics here; else nowhere")
      ->type_name("HOST:PORT");
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
  app.add_flag("--print-crds", flags.print_crds, "Print the definitions of its custom resources as YAML and exit");
  try {
    app.parse(options.args.argc, options.args.argv);
  } catch (const CLI::ParseError& error) {
    return fail(ErrorCode::invalid, one_line(error.what()) + " (--help lists the flags)");
  }
  if (help) flags.help = app.help();
  return flags;
}

}  // namespace pintle
