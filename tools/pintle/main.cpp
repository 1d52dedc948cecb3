// pintle: the program beside the library.
#include <csignal>
#include <string>

#include <CLI/CLI.hpp>

#include "dev.hpp"

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

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  return pintle::tools::run_dev(options);
}
