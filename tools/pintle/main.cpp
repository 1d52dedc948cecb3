// pintle: the program beside the library.
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>

#include <pintle/base/nearest_name.hpp>
#include <pintle/base/terminal.hpp>
#include <pintle/base/text.hpp>

#include "dev.hpp"
#include "gen_crds.hpp"
#include "gen_types.hpp"

namespace {

using namespace pintle::tools;

CLI::App* add_dev(CLI::App& app, DevOptions& options) {
  CLI::App* dev = app.add_subcommand("dev", "Serve a Kubernetes API from memory, for development and tests.");
  dev->add_option("--listen", options.listen, "Where to listen; port 0 takes a free one")
      ->type_name("HOST:PORT")
      ->capture_default_str();
  dev->add_flag("--tls", options.tls, "Serve https with a certificate made for this run");
  dev->add_option("--token", options.token, "Refuse requests without this bearer token")->type_name("T");
  dev->add_flag("--client-certificate", options.client_certificate,
                "Refuse connections without the certificate that is in the kubeconfig");
  dev->add_option("--kubeconfig", options.kubeconfig, "Write a kubeconfig that leads here")->type_name("FILE");
  dev->add_option("--now", options.now,
                  "Stamp everything with this time of day: what is printed is the same in every run")
      ->type_name("TIME");
  dev->add_option("--faults", options.faults, "Let requests fail by the rules of this file (docs/faults.md)")
      ->type_name("FILE");
  dev->add_option("--rate", options.rate, "Answer 429 to more requests in a second; 0 sets no limit")
      ->type_name("N")
      ->check(CLI::Range(0.0, 1e6));
  dev->add_option("--max-connections", options.max_connections, "Hold no more connections than these at once")
      ->type_name("N")
      ->check(CLI::Range(1, 1'000'000))
      ->capture_default_str();
  return dev;
}

CLI::App* add_gen_types(CLI::App& gen, GenTypesOptions& options) {
  CLI::App* types = gen.add_subcommand("types", "Write structs from CRDs (YAML) and OpenAPI v3 documents.");
  types->add_option("FILE", options.files, "What to read")->required()->type_name("FILE");
  types->add_flag("--force", options.force,
                  "Also replace files that were changed by hand, or that have types which would be lost");
  types->add_option("--namespace", options.root, "The namespace around <group>::<version>")->type_name("NAME");
  CLI::Option* out = types->add_option("--out", options.out, "Write headers here, as <group>/<version>.hpp");
  out->type_name("DIR");
  types->add_option("--sources", options.sources, "Write tables here, as <group>_<version>.cpp, not into the headers")
      ->type_name("DIR")
      ->needs(out);
  return types;
}

CLI::App* add_gen_crd(CLI::App& gen, GenCrdOptions& options) {
  CLI::App* crd =
      gen.add_subcommand("crd", "Print the CRDs of a program that links pintle: crd [--out DIR] PROGRAM [ARGUMENT]...");
  crd->add_option("--out", options.out, "Write each to a file here, <plural>.<group>.yaml")->type_name("DIR");
  crd->prefix_command();
  return crd;
}

// What is wrong with the word that should name one of the sub-commands, or an option before it; empty if nothing is.
std::string unknown_command(const CLI::App& app, int argc, char** argv, int index) {
  if (index >= argc) return {};
  if (argv[index][0] == '-') {
    const std::string option = argv[index];
    if (app.get_option_no_throw(option.substr(0, option.find('='))) != nullptr) return {};
    return pintle::in_quotes(pintle::terminal_text(option)) + " is no option";
  }
  std::vector<std::string> known;
  std::string list;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    known.push_back(command->get_name());
    list += (list.empty() ? "" : ", ") + command->get_name();
  }
  const std::string word = argv[index];
  if (std::find(known.begin(), known.end(), word) != known.end()) return {};
  return pintle::in_quotes(pintle::terminal_text(word)) + " is none of " + list + pintle::did_you_mean(word, known);
}

// Before any thread starts, so that all of them leave these to the one that waits.
void block_signals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  std::signal(SIGPIPE, SIG_IGN);
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Tools for operators written with pintle."};
  app.set_version_flag("--version", std::string("pintle ") + PINTLE_VERSION);
  app.require_subcommand(1);
  DevOptions dev_options{.version = PINTLE_VERSION};
  add_dev(app, dev_options);
  CLI::App* gen = app.add_subcommand("gen", "Write types from schemas, and schemas from types.");
  gen->require_subcommand(1);
  GenTypesOptions types_options;
  const CLI::App* types = add_gen_types(*gen, types_options);
  GenCrdOptions crd_options;
  const CLI::App* crd = add_gen_crd(*gen, crd_options);

  std::string unknown = unknown_command(app, argc, argv, 1);
  if (unknown.empty() && argc > 1 && std::string_view(argv[1]) == "gen") unknown = unknown_command(*gen, argc, argv, 2);
  if (!unknown.empty()) {
    std::fprintf(stderr, "pintle: %s (--help lists the commands and options)\n", unknown.c_str());
    return 2;
  }

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  if (*types) return run_gen_types(types_options);
  crd_options.command = crd->remaining();
  if (*crd) return run_gen_crd(crd_options);
  block_signals();
  return run_dev(dev_options);
}
