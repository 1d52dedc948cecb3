// pintle: the program beside the library.
#include <csignal>
#include <string>

#include <CLI/CLI.hpp>

#include "dev.hpp"
#include "gen_types.hpp"

int main(int argc, char** argv) {
  // Before any thread starts, so that all of them leave these to the one that waits.
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  std::signal(SIGPIPE, SIG_IGN);

  CLI::App app{"Tools for operators written with pintle."};
  app.set_version_flag("--version", std::string("pintle ") + PINTLE_VERSION);
  app.require_subcommand(1);

  pintle::tools::DevOptions options{.version = PINTLE_VERSION};
  CLI::App* dev = app.add_subcommand("dev", "Serve a Kubernetes API from memory, for development and tests.");
  dev->add_option("--listen", options.listen, "Where to listen; port 0 takes a free one")
      ->type_name("HOST:PORT")
      ->capture_default_str();
  dev->add_flag("--tls", options.tls, "Serve https with a certificate made for this run");
  dev->add_option("--token", options.token, "Refuse requests without this bearer token")->type_name("T");
  dev->add_option("--kubeconfig", options.kubeconfig, "Write a kubeconfig that leads here")->type_name("FILE");

  CLI::App* gen = app.add_subcommand("gen", "Generate.");
  gen->require_subcommand(1);
  pintle::tools::GenTypesOptions types_options;
  CLI::App* types = gen->add_subcommand("types", "Write structs from CRDs (YAML) and OpenAPI v3 documents.");
  types->add_option("FILE", types_options.files, "What to read")->required()->type_name("FILE");
  types->add_option("--namespace", types_options.root, "The namespace around <group>::<version>")->type_name("NAME");
  types->add_option("--out", types_options.out, "Write headers here, as <group>/<version>.hpp")->type_name("DIR");
  types->add_option("--sources", types_options.sources, "Write tables here, as <group>_<version>.cpp, not in the headers")
      ->type_name("DIR")
      ->needs("--out");

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  if (*types) return pintle::tools::run_gen_types(types_options);
  return pintle::tools::run_dev(options);
}
