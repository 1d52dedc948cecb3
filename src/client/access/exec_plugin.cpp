// SPDX-License-Identifier: Apache-2.0
#include "exec_plugin.hpp"

#include <chrono>
#include <utility>

#include <pintle/base/terminal.hpp>
#include <pintle/base/text.hpp>
#include <pintle/http/pem.hpp>
#include <pintle/json/value.hpp>

#include "base/output/last_words.hpp"

namespace pintle {

namespace {

constexpr Duration time_for_a_person = std::chrono::minutes(10);

// The value of KUBERNETES_EXEC_INFO.
std::string exec_info(const ExecPlugin& plugin, bool is_interactive) {
  json::object spec;
  if (!plugin.cluster_info.empty()) {
    if (auto cluster = json::parse(plugin.cluster_info)) spec["cluster"] = std::move(*cluster);
  }
  spec["interactive"] = is_interactive;
  return json::print(
      json::object{{"kind", "ExecCredential"}, {"apiVersion", plugin.api_version}, {"spec", std::move(spec)}});
}

std::string text_of(const json::object& object, std::string_view key) {
  const json::Value* value = object.if_contains(key);
  return value != nullptr && value->is_string() ? std::string(value->get_string()) : std::string();
}

Error wrong_output(const std::string& what) { return make_error(ErrorCode::invalid, "its output " + what); }

Result<void> read_certificate(const json::object& status, ObtainedCredential& credential) {
  credential.certificate = text_of(status, "clientCertificateData");
  credential.key = text_of(status, "clientKeyData");
  if (credential.certificate.empty() != credential.key.empty()) {
    return wrong_output("has only one of status.clientCertificateData and status.clientKeyData");
  }
  if (credential.certificate.empty()) return {};
  const auto valid = http::validate_key_pair({.name = "status.clientCertificateData", .text = credential.certificate},
                                             {.name = "status.clientKeyData", .text = credential.key});
  if (!valid) return wrong_output("is not usable: " + valid.error().message);
  return {};
}

// Keeps the meaning of codes: not_found would say that the requested object does not exist.
Error run_error(Error error, const ExecPlugin& plugin) {
  if (error.code == ErrorCode::cancelled) return error;
  const bool is_missing = error.code == ErrorCode::not_found;
  if (is_missing) {
    error.message += plugin.install_hint.empty() ? "; install it, or correct the command of the plugin"
                                                 : "; " + escape_for_terminal(trim(plugin.install_hint));
  }
  const bool is_permanent = is_missing || error.code == ErrorCode::invalid;
  return make_error(is_permanent ? ErrorCode::invalid : ErrorCode::unavailable, std::move(error.message));
}

// Counts the runs as client-go does.
void count_run(const Result<ProgramResult>& result, const ExecPluginMetrics& metrics) {
  if (!result) {
    const bool is_missing = result.error().code == ErrorCode::not_found;
    metrics.count(1, is_missing ? "plugin_not_found_error" : "client_internal_error");
  } else {
    metrics.count(result->status, result->status == 0 ? "no_error" : "plugin_execution_error");
  }
}

Result<ObtainedCredential> run(const ExecPlugin& plugin, Programs* programs, std::stop_token stop,
                               const ExecPluginMetrics& metrics, const Log& log) {
  if (programs == nullptr) {
    return fail(ErrorCode::invalid,
                "a simulation runs no programs of this machine; set ClientOptions::programs, or "
                "ManagerOptions::programs");
  }
  const auto call = exec_plugin_call(plugin, programs->has_terminal());
  if (!call) return fail(call.error());
  auto result = programs->run(*call, std::move(stop));
  count_run(result, metrics);
  if (!result) return run_error(std::move(result.error()), plugin);
  if (result->status != 0) {
    return fail(ErrorCode::unavailable,
                "it ended with status " + std::to_string(result->status) + last_words(result->errors));
  }
  if (const std::string words = last_words(result->errors); !words.empty() && !call->inherit_input) {
    log.info("the credential plugin wrote to its standard error" + words, {{"plugin", plugin.command}});
  }
  return read_exec_credential(plugin, result->output);
}

}  // namespace

Result<ProgramCall> exec_plugin_call(const ExecPlugin& plugin, bool has_terminal) {
  if (plugin.interactive_mode == InteractiveMode::always && !has_terminal) {
    return fail(ErrorCode::invalid,
                "its interactiveMode is Always, and the standard input of this process is not a terminal; use another "
                "credential for a program that runs without a person");
  }
  const bool is_interactive = plugin.interactive_mode != InteractiveMode::never && has_terminal;
  ProgramCall call{.program = plugin.command,
                   .arguments = plugin.arguments,
                   .environment = plugin.environment,
                   .inherit_input = is_interactive,
                   .timeout = is_interactive ? time_for_a_person : plugin.timeout};
  std::erase_if(call.environment, [](const auto& variable) { return variable.first == "KUBERNETES_EXEC_INFO"; });
  call.environment.emplace_back("KUBERNETES_EXEC_INFO", exec_info(plugin, is_interactive));
  return call;
}

Result<ObtainedCredential> read_exec_credential(const ExecPlugin& plugin, std::string_view output) {
  const auto parsed = json::parse(output);
  const json::object* root = parsed ? parsed->if_object() : nullptr;
  if (root == nullptr) return wrong_output("is not a JSON object");
  if (const std::string kind = text_of(*root, "kind"); kind != "ExecCredential") {
    return wrong_output("has kind " + quote(escape_for_terminal(kind)) + " instead of ExecCredential");
  }
  if (const std::string version = text_of(*root, "apiVersion"); version != plugin.api_version) {
    return wrong_output("has apiVersion " + quote(escape_for_terminal(version)) + ", but the kubeconfig has " +
                        quote(plugin.api_version));
  }
  const json::Value* member = root->if_contains("status");
  const json::object* status = member == nullptr ? nullptr : member->if_object();
  if (status == nullptr) return wrong_output("has no status");
  ObtainedCredential credential{.token = text_of(*status, "token")};
  if (auto done = read_certificate(*status, credential); !done) return fail(std::move(done.error()));
  if (credential.token.empty() && credential.certificate.empty()) {
    return wrong_output("has neither a status.token nor a certificate with a key");
  }
  if (!is_visible_ascii(credential.token)) return wrong_output("has a token with characters that are not allowed");
  if (const std::string expires = text_of(*status, "expirationTimestamp"); !expires.empty()) {
    const auto time = parse_time(expires);
    if (!time) return wrong_output("has a wrong status.expirationTimestamp: " + time.error().message);
    credential.expires = *time;
  }
  return credential;
}

Result<ObtainedCredential> run_exec_plugin(const ExecPlugin& plugin, Programs* programs, const std::string& origin,
                                           std::stop_token stop, const ExecPluginMetrics& metrics, const Log& log) {
  auto obtained = run(plugin, programs, std::move(stop), metrics, log);
  if (obtained) return obtained;
  Error error = std::move(obtained.error());
  error.message = "credential plugin " + plugin.command + (origin.empty() ? "" : " of " + origin) +
                  " gave no credential: " + error.message;
  return error;
}

}  // namespace pintle
