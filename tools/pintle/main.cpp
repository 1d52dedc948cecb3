// SPDX-License-Identifier: Apache-2.0
// pintle: the program beside the library.
#include <chrono>
#include <csignal>
#include <cstdio>
#include <memory>
#include <string>

#include <CLI/CLI.hpp>

#include "app_reference.hpp"
#include "base/output/standard_output.hpp"
#include "dev.hpp"
#include "doctor/doctor.hpp"
#include "gen_crds.hpp"
#include "gen_types.hpp"
#include "migrate_storage.hpp"
#include "new/names.hpp"
#include "new/new.hpp"
#include "record/record.hpp"
#include "simulate.hpp"
#include "terminal/top.hpp"
#include "terminal/why.hpp"

namespace {

using namespace pintle::tools;

CLI::App* add_dev(CLI::App& app, DevOptions& options) {
  CLI::App* dev = app.add_subcommand("dev", "Serve a Kubernetes API without a cluster, for development and tests.");
  dev->add_option("--listen", options.listen, "Address to listen on; port 0 selects a free port")
      ->type_name("HOST:PORT")
      ->capture_default_str();
  dev->add_flag("--tls", options.tls, "Serve HTTPS with a generated certificate");
  const auto check_token = [](const std::string& text) -> std::string { return text.empty() ? "is empty" : ""; };
  dev->add_option("--token", options.token,
                  "Reject requests without this bearer token, another known one or a client certificate")
      ->type_name("T")
      ->check(check_token);
  dev->add_option("--token-file", options.token_file,
                  "Users with bearer tokens, one a line: TOKEN,NAME,UID,\"GROUP,GROUP\"")
      ->type_name("FILE");
  dev->add_option("--authorization", options.authorization,
                  "rbac: allow the requests that the stored roles allow; turns on --tls if --kubeconfig is given")
      ->type_name("MODE")
      ->check(one_of({"allow-all", "rbac"}))
      ->capture_default_str();
  dev->add_flag("--client-certificate", options.client_certificate,
                "Reject connections without the client certificate from the kubeconfig");
  dev->add_option("--kubeconfig", options.kubeconfig, "Write a kubeconfig for this server")->type_name("FILE");
  dev->add_option("--now", options.now,
                  "Use this fixed time (RFC 3339) for all timestamps, so that the output is the same in each run")
      ->type_name("TIME");
  dev->add_option("--data", options.data, "Keep all objects in this file, and continue from it after a restart")
      ->type_name("FILE");
  dev->add_option("--load", options.load, "Apply the manifests in this folder (*.yaml, *.yml, *.json) at the start")
      ->type_name("DIR");
  dev->add_option("--record", options.record, "Record the requests to this file, as a scenario that can be replayed")
      ->type_name("FILE");
  dev->add_flag(
      "--controllers", options.controllers,
      "Run the controllers of workloads; no container runs, the annotation pintle.dev/pod is the life of a pod");
  dev->add_option("--faults", options.faults, "Inject faults by the rules of this file (docs/faults.md)")
      ->type_name("FILE");
  dev->add_option("--max-requests-per-second", options.rate,
                  "Maximum requests per second, others get status 429; 0: no limit")
      ->type_name("N")
      ->check(CLI::Range(0.0, 1e6));
  dev->add_option("--max-connections", options.max_connections, "Maximum number of open connections")
      ->type_name("N")
      ->check(CLI::Range(1, 1'000'000))
      ->capture_default_str();
  dev->add_option(
         "--service", options.services,
         "Where the server calls webhooks of a service: NAME.NAMESPACE[:PORT]=https://HOST:PORT; may be repeated")
      ->type_name("SERVICE=URL")
      ->allow_extra_args(false);
  dev->add_option("--pod", options.pods,
                  "Where the proxy of a pod sends requests: NAMESPACE/NAME:PORT=http://HOST:PORT; may be repeated")
      ->type_name("POD=URL")
      ->allow_extra_args(false);
  dev->add_option("--tls-record-size", options.tls_record,
                  "Maximum content bytes in a TLS record; kube-apiserver sends 4096")
      ->type_name("BYTES")
      ->check(CLI::Range(512, 16'384))
      ->capture_default_str();
  return dev;
}

CLI::App* add_gen_types(CLI::App& gen, GenTypesOptions& options) {
  CLI::App* types = gen.add_subcommand("types", "Write structs from CRDs (YAML) and OpenAPI v3 documents.");
  types->add_option("FILE", options.files, "CRDs (YAML) and OpenAPI v3 documents to read")
      ->required()
      ->type_name("FILE");
  types->add_flag("--force", options.force,
                  "Also replace files that were changed by hand, or that have types that would be lost");
  types->add_option("--namespace", options.root, "Namespace that encloses <group>::<version>")->type_name("NAME");
  CLI::Option* out =
      types->add_option("--out", options.out, "Folder for headers <group>/<version>.hpp (default: standard output)");
  out->type_name("DIR");
  types->add_option("--sources", options.sources, "Folder for tables <group>_<version>.cpp (default: in the headers)")
      ->type_name("DIR")
      ->needs(out);
  return types;
}

CLI::App* add_gen_crd(CLI::App& gen, GenCrdOptions& options) {
  CLI::App* crd =
      gen.add_subcommand("crd", "Print the CRDs of a program that links pintle: crd [--out DIR] PROGRAM [ARGUMENT]...");
  crd->add_option("--out", options.out,
                  "Folder for files <plural>.<group>.yaml, one for each CRD (default: standard output)")
      ->type_name("DIR");
  crd->prefix_command();
  return crd;
}

CLI::App* add_migrate_storage(CLI::App& app, MigrateStorageOptions& options) {
  CLI::App* migrate = app.add_subcommand(
      "migrate-storage",
      "Store all objects of a CRD in its storage version, and remove the earlier versions from storedVersions.");
  migrate->add_option("CRD", options.crd, "Name of the CRD, such as proxies.demo.pintle.dev")
      ->required()
      ->type_name("CRD");
  migrate->add_option("--kubeconfig", options.kubeconfig, "Kubeconfig file (default: as for kubectl)")
      ->type_name("FILE");
  migrate->add_option("--context", options.context, "Context of the kubeconfig (default: its current context)")
      ->type_name("NAME");
  return migrate;
}

CLI::App* add_record(CLI::App& app, RecordOptions& options) {
  CLI::App* record = app.add_subcommand(
      "record", "Serve the API of a cluster, and record the requests to it as a scenario that can be replayed.");
  record->add_option("--out", options.out, "File of the scenario; it is replaced")->required()->type_name("FILE");
  record
      ->add_option("--write-kubeconfig", options.write_kubeconfig,
                   "Write a kubeconfig for the programs whose requests are recorded")
      ->required()
      ->type_name("FILE");
  record->add_option("--kubeconfig", options.kubeconfig, "Kubeconfig file of the cluster (default: as for kubectl)")
      ->type_name("FILE");
  record->add_option("--context", options.context, "Context of the kubeconfig (default: its current context)")
      ->type_name("NAME");
  record->add_option("--listen", options.listen, "Address to listen on; port 0 selects a free port")
      ->type_name("HOST:PORT")
      ->capture_default_str();
  return record;
}

void add_duration(CLI::App& app, const std::string& name, pintle::Duration& value, const std::string& description) {
  const auto take = [name, &value](const std::string& text) {
    const auto parsed = pintle::parse_duration(text);
    if (!parsed) throw CLI::ValidationError(name, parsed.error().message);
    value = *parsed;
  };
  app.add_option_function<std::string>(name, take, description)
      ->type_name("DURATION")
      ->default_str(pintle::format_duration(value));
}

CLI::App* add_doctor(CLI::App& app, pintle::doctor::DoctorOptions& options) {
  CLI::App* doctor = app.add_subcommand(
      "doctor",
      "Check a cluster, and an operator in it: doctor [OPTION]... [-- PROGRAM [ARGUMENT]...]. Exit code: 0, 1 if a "
      "check failed, 2 for a wrong option.");
  doctor
      ->add_option("PROGRAM", options.command,
                   "Operator to compare with the cluster, and its arguments (default: those of its Deployment)")
      ->type_name("PROGRAM");
  doctor->add_option("--kubeconfig", options.kubeconfig, "Kubeconfig file (default: as for kubectl)")
      ->type_name("FILE");
  doctor->add_option("--context", options.context, "Context of the kubeconfig (default: its current context)")
      ->type_name("NAME");
  doctor->add_option("--namespace", options.namespace_, "Namespace of the operator and its Lease (default: all)")
      ->type_name("NAME");
  doctor->add_option("--format", options.format, "Format of the output: text or json")
      ->type_name("FORMAT")
      ->check(one_of({"text", "json"}))
      ->capture_default_str();
  add_duration(*doctor, "--stuck-after", options.stuck_after, "Report deletions that take longer than this");
  add_duration(*doctor, "--watch-for", options.watch_for, "Count changes of objects for this time; 0s: do not count");
  add_duration(*doctor, "--timeout", options.timeout, "Maximum time of the whole run");
  return doctor;
}

CLI::App* add_completion(CLI::App& app, std::string& shell) {
  CLI::App* completion =
      app.add_subcommand("completion", "Print a script that completes the arguments of this program in a shell.");
  completion->add_option("SHELL", shell, "Shell that reads the script")
      ->required()
      ->type_name("SHELL")
      ->check(one_of({"bash", "zsh", "fish"}));
  return completion;
}

int run_completion(const CLI::App& app, const std::string& shell) {
  const pintle::Shell selected = shell == "bash"  ? pintle::Shell::bash
                                 : shell == "zsh" ? pintle::Shell::zsh
                                                  : pintle::Shell::fish;
  std::fputs(pintle::print_completion(reference_of(app), selected).c_str(), stdout);
  return 0;
}

int run_man(const CLI::App& app) {
  pintle::CommandReference program = reference_of(app);
  program.version = std::string("pintle ") + PINTLE_VERSION;
  program.exit_codes = {{0, "The command succeeded."},
                        {1, "The command failed."},
                        {2, "An argument or a file that it names is invalid."}};
  std::fputs(pintle::print_man_page(program).c_str(), stdout);
  return 0;
}

CLI::App* add_new(CLI::App& app, NewOptions& options) {
  CLI::App* project = app.add_subcommand("new", "Create the project of an operator, with tests, image and manifests.");
  project->add_option("NAME", options.name, "Name of the operator, its program, image and namespace")
      ->required()
      ->type_name("NAME");
  project->add_option("--group", options.group, "API group of the kind")->type_name("DOMAIN")->capture_default_str();
  project->add_option("--kind", options.kind, "Kind that the operator watches (default: from NAME)")->type_name("KIND");
  const auto patterns = pattern_names();
  project->add_option("--pattern", options.pattern, "How the reconcile is written")
      ->type_name(placeholder_with("PATTERN", {patterns.begin(), patterns.end()}))
      ->capture_default_str();
  project->add_flag("--webhook", options.webhook, "Also write an admission webhook: a default and a check");
  project->add_option("--out", options.out, "Folder of the project, missing or empty (default: NAME)")
      ->type_name("DIR");
  project
      ->add_option("--url", options.url,
                   "Git repository of pintle, from which CMake fetches it if it is not installed (default: none)")
      ->type_name("URL");
  project->add_option("--tag", options.tag, "Tag, branch or commit of that repository (default: that of this program)")
      ->type_name("TAG");
  return project;
}

void add_place(CLI::App& command, OperatorOptions& place) {
  command.add_option("--kubeconfig", place.kubeconfig, "Kubeconfig file, for a pod (default: as for kubectl)")
      ->type_name("FILE");
  command.add_option("--context", place.context, "Context of the kubeconfig (default: its current context)")
      ->type_name("NAME");
  command.add_option("--token", place.token, "Bearer token for an operator that runs with --authorize")->type_name("T");
  command.add_flag("--insecure-skip-tls-verify", place.is_insecure, "Do not verify the certificate of a URL");
}

CLI::App* add_top(CLI::App& app, TopOptions& options, double& interval) {
  CLI::App* top = app.add_subcommand("top", "Show the controllers, problems and caches of a running operator.");
  top->add_option("OPERATOR", options.place.address, "A pod, [NAMESPACE/]NAME[:PORT], or the URL of the pages")
      ->required()
      ->type_name("POD|URL");
  top->add_option("--interval", interval, "Time between two updates, in seconds")
      ->type_name("SECONDS")
      ->check(CLI::Range(0.5, 3600.0))
      ->capture_default_str();
  top->add_flag("--once", options.is_once, "Print one table and exit");
  add_place(*top, options.place);
  return top;
}

CLI::App* add_why(CLI::App& app, WhyOptions& options) {
  CLI::App* why = app.add_subcommand("why", "Show why an object is not ready, its history, and its next reconcile.");
  why->add_option("KIND", options.kind, "Kind or plural, such as greeting, or the name of a controller")
      ->required()
      ->type_name("KIND");
  why->add_option("NAME", options.name, "Name of the object, or NAMESPACE/NAME")->required()->type_name("NAME");
  why->add_option("-n,--namespace", options.namespace_, "Namespace of the object (default: that of the context)")
      ->type_name("NAMESPACE");
  why->add_option("--operator", options.place.address, "A pod, [NAMESPACE/]NAME[:PORT], or the URL of the pages")
      ->required()
      ->type_name("POD|URL");
  add_place(*why, options.place);
  return why;
}

CLI::App* add_simulate(CLI::App& app) {
  CLI::App* simulate =
      app.add_subcommand("simulate",
                         "Run an operator in many simulated clusters with faults: simulate PROGRAM [OPTION]... [-- "
                         "ARGUMENT...]. The program "
                         "must link the CMake target pintle::simulated; PROGRAM --help lists the options.");
  simulate->prefix_command();
  return simulate;
}

// Returns the exit code of a command that has printed its result.
int printed(int code) {
  const auto flushed = pintle::flush_standard_output();
  if (flushed) return code;
  std::fprintf(stderr, "pintle: %s\n", flushed.error().message.c_str());
  return code == 0 ? 1 : code;
}

// Must be called before any thread starts, so that all threads block these signals and only sigwait() receives them.
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
  CLI::App app{"Tools for operators written with pintle.", "pintle"};
  app.formatter(std::make_shared<HelpFormatter>());  // the commands take it over
  app.set_version_flag("--version", std::string("pintle ") + PINTLE_VERSION);
  app.require_subcommand(1);
  DevOptions dev_options{.version = PINTLE_VERSION};
  add_dev(app, dev_options);
  CLI::App* gen = app.add_subcommand("gen", "Write types from schemas, and schemas from types.");
  gen->require_subcommand(1);
  MigrateStorageOptions migrate_options;
  const CLI::App* migrate = add_migrate_storage(app, migrate_options);
  pintle::doctor::DoctorOptions doctor_options;
  const CLI::App* doctor = add_doctor(app, doctor_options);
  RecordOptions record_options;
  const CLI::App* record = add_record(app, record_options);
  NewOptions new_options{.version = PINTLE_VERSION};
  const CLI::App* project = add_new(app, new_options);
  GenTypesOptions types_options;
  const CLI::App* types = add_gen_types(*gen, types_options);
  GenCrdOptions crd_options;
  const CLI::App* crd = add_gen_crd(*gen, crd_options);
  TopOptions top_options;
  double top_interval = std::chrono::duration<double>(top_options.interval).count();
  const CLI::App* top = add_top(app, top_options, top_interval);
  WhyOptions why_options;
  const CLI::App* why = add_why(app, why_options);
  const CLI::App* simulate = add_simulate(app);

  std::string shell;
  const CLI::App* completion = add_completion(app, shell);
  const CLI::App* man = app.add_subcommand("man", "Print the man page of this program.");

  const std::string unknown = unknown_argument(app, argc, argv);
  if (!unknown.empty()) {
    std::fprintf(stderr, "pintle: %s (--help lists the commands and options)\n", unknown.c_str());
    return 2;
  }

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return printed(app.exit(error));
    std::fprintf(stderr, "%s\n", parse_message(app, error).c_str());
    return 2;
  }
  if (*completion) return printed(run_completion(app, shell));
  if (*man) return printed(run_man(app));
  if (*project) return printed(run_new(new_options));
  if (*types) return printed(run_gen_types(types_options));
  crd_options.command = crd->remaining();
  if (*crd) return printed(run_gen_crd(crd_options));
  if (*simulate) return run_simulate(simulate->remaining());
  if (*doctor) return printed(pintle::doctor::run_doctor(doctor_options));
  if (*migrate) return printed(run_migrate_storage(migrate_options));
  if (*why) return printed(run_why(why_options));
  block_signals();
  if (*top) {
    top_options.interval = std::chrono::duration_cast<pintle::Duration>(std::chrono::duration<double>(top_interval));
    return printed(run_top(top_options));
  }
  if (*record) return run_record(record_options);
  return run_dev(dev_options);
}
