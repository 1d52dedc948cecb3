// SPDX-License-Identifier: Apache-2.0
#include "new/project.hpp"

#include <string_view>
#include <utility>

#include <fmt/format.h>

#include <pintle/base/text.hpp>
#include <pintle/object/kind.hpp>

#include "gen_names.hpp"
#include "new/manifests.hpp"
#include "new/names.hpp"
#include "new/render.hpp"
#include "new/templates.hpp"

namespace pintle::tools {
namespace {

using Files = std::map<std::string, std::string>;
using Values = std::map<std::string, std::string, std::less<>>;

// The Debian packages that the build in the image and in CI needs.
constexpr std::string_view packages =
    "ca-certificates cmake g++ git libboost-json1.81-dev libboost1.81-dev libcli11-dev libcurl4-openssl-dev "
    "libexpected-dev libfmt-dev libfyaml-dev libgtest-dev libhowardhinnant-date-dev libre2-dev libsqlite3-dev "
    "libssl-dev "
    "ninja-build pkg-config prometheus-cpp-dev zlib1g-dev";

std::string replace_all(std::string text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
  return text;
}

// The end of the sentence in the README about the reconcile.
std::string title_of(const std::string& pattern) {
  return pattern == "plain" ? "" : fmt::format(", written with the pattern {}", pattern);
}

// The commands in the README that run the operator outside of a cluster.
std::string run_command(const ProjectOptions& options) {
  std::string command = fmt::format("build/dev/{}", options.name);
  if (options.pattern == "service") command += " --platform-kubeconfig dev.kubeconfig";
  if (options.webhook) command += " --webhook-listen 127.0.0.1:9443 --webhook-url https://127.0.0.1:9443";
  return command;
}

Values values_of(const ProjectOptions& options) {
  const std::string version = options.pintle_version.substr(0, options.pintle_version.rfind('.'));
  return {{"name", options.name},
          {"kind", options.kind},
          {"kind_file", snake_case(options.kind)},
          {"group", options.group},
          {"plural", default_plural(options.kind)},
          {"singular", to_lower_ascii(options.kind)},
          {"namespace", cpp_namespace(options.name)},
          {"pattern", options.pattern},
          {"pattern_title", title_of(options.pattern)},
          {"place", options.pattern == "service" ? " in the control plane of its user" : ""},
          {"run_command", run_command(options)},
          {"url", options.url},
          {"pintle_version", options.pintle_version},
          {"pintle_minor", version},
          {"packages", std::string(packages)}};
}

Values with(Values values, const Values& more) {
  for (const auto& [name, value] : more) values[name] = value;
  return values;
}

// The values of the settings in the manifests for kubectl.
Values fixed_settings(const ProjectOptions& options) {
  return {{"deploy_namespace", options.name}, {"deploy_image", options.name + ":0.1.0"},
          {"deploy_replicas", "2"},           {"deploy_log_level", "info"},
          {"deploy_cpu_request", "10m"},      {"deploy_memory_request", "32Mi"},
          {"deploy_memory_limit", "128Mi"}};
}

// The same settings in the chart, whose defaults are in values.yaml.
Values chart_settings() {
  return {{"deploy_namespace", "{{ .Release.Namespace }}"},
          {"deploy_image", "{{ .Values.image.repository }}:{{ .Values.image.tag }}"},
          {"deploy_replicas", "{{ .Values.replicas }}"},
          {"deploy_log_level", "{{ .Values.logLevel }}"},
          {"deploy_cpu_request", "{{ .Values.resources.requests.cpu }}"},
          {"deploy_memory_request", "{{ .Values.resources.requests.memory }}"},
          {"deploy_memory_limit", "{{ .Values.resources.limits.memory }}"}};
}

Result<std::string> rendered(const EmbeddedFile& file, const ProjectOptions& options, const Values& settings) {
  RenderInput input{.values = with(values_of(options), settings), .conditions = {options.pattern}};
  if (options.webhook) input.conditions.insert("webhook");
  auto text = render(file.text, input);
  if (!text) text.error().message.insert(0, fmt::format("template {}: ", file.path));
  return text;
}

// Returns the path in the project: without the folder of the pattern and ".in", with the names of the project.
std::string path_of(std::string_view file, const ProjectOptions& options) {
  std::string path(file.substr(file.find('/') + 1));
  path.resize(path.size() - std::string_view(".in").size());
  path = replace_all(std::move(path), "KIND", snake_case(options.kind));
  path = replace_all(std::move(path), "NAME", options.name);
  return replace_all(std::move(path), "dot-", ".");
}

// Adds a manifest to deploy/ and to the chart.
Result<void> add_manifest(const EmbeddedFile& file, const ProjectOptions& options, std::string_view path,
                          Files& files) {
  const std::string name(path.substr(path.find('/') + 1));
  const std::string chart = "charts/" + options.name + "/";
  auto text = rendered(file, options, fixed_settings(options));
  if (!text) return fail(std::move(text.error()));
  if (name == "operator.yaml") {
    auto templated = rendered(file, options, chart_settings());
    if (!templated) return fail(std::move(templated.error()));
    files["deploy/" + name] = std::move(*text);
    files[chart + "templates/" + name] = std::move(*templated);
    return {};
  }
  auto printed = as_printed(*text);
  if (!printed) return fail(ErrorCode::invalid, fmt::format("template {}: {}", file.path, printed.error().message));
  files["deploy/" + name] = *printed;
  if (name == "crds.yaml") files[chart + "crds/" + name] = std::move(*printed);
  if (name == "rbac.yaml") {
    files[chart + "templates/" + name] =
        replace_all(std::move(*printed), fmt::format("\n  namespace: {}\n", options.name),
                    "\n  namespace: {{ .Release.Namespace }}\n");
  }
  return {};
}

}  // namespace

Result<std::map<std::string, std::string>> project_files(const ProjectOptions& options) {
  Files files;
  for (const EmbeddedFile& file : project_templates()) {
    const std::string_view folder = file.path.substr(0, file.path.find('/'));
    if (folder != "common" && folder != options.pattern && !(folder == "webhook" && options.webhook)) continue;
    const std::string path = path_of(file.path, options);
    if (path.starts_with("manifests/")) {
      if (auto added = add_manifest(file, options, path, files); !added) return fail(std::move(added.error()));
      continue;
    }
    auto text = rendered(file, options, {});
    if (!text) return fail(std::move(text.error()));
    files[path] = std::move(*text);
  }
  return files;
}

}  // namespace pintle::tools
