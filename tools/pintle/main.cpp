// pintle: the program beside the library.
#include <csignal>
#include <string>

#include <CLI/CLI.hpp>

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
  dev->add_option("--max-connections", options.max_connections, "Close more connections than these at once")
      ->type_name("N")
      ->check(CLI::Range(1, 1'000'000))
      ->capture_default_str();
  return dev;
}

CLI::App* add_gen_types(CLI::App& gen, GenTypesOptions& options) {
  CLI::App* types = gen.add_subcommand("types", "Write structs from CRDs (YAML) and OpenAPI v3 documents.");
  types->add_option("FILE", options.files, "What to read")->required()->type_name("FILE");
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
