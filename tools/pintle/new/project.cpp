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
          {"tag", options.tag},
          {"deploy_flags", fmt::format("{}", fmt::join(deploy_flags(), "\n    "))},
          {"pintle_minor", version},
          {"packages", std::string(packages)}};
}

Result<std::string> rendered(const EmbeddedFile& file, const ProjectOptions& options) {
  RenderInput input{.values = values_of(options), .conditions = {options.pattern}};
  if (options.webhook) input.conditions.insert("webhook");
  if (!options.url.empty()) input.conditions.insert("url");
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

// Takes the text of a file in manifests/, which the code of the operator determines.
void take(const std::string& path, std::string text, ManifestOptions& manifests) {
  if (path == "manifests/crds.yaml") manifests.crds = std::move(text);
  if (path == "manifests/rbac.yaml") manifests.roles = std::move(text);
  if (path == "manifests/platform/rbac.yaml") {
    manifests.platform = "platform";
    manifests.platform_roles = std::move(text);
  }
}

}  // namespace

Result<std::map<std::string, std::string>> project_files(const ProjectOptions& options) {
  Files files;
  ManifestOptions manifests{.name = options.name, .has_webhooks = options.webhook};
  // Sorted by path, so a file of a pattern takes precedence over the same file of common/.
  for (const EmbeddedFile& file : project_templates()) {
    const std::string_view folder = file.path.substr(0, file.path.find('/'));
    if (folder != "common" && folder != options.pattern && !(folder == "webhook" && options.webhook)) continue;
    const std::string path = path_of(file.path, options);
    auto text = rendered(file, options);
    if (!text) return fail(std::move(text.error()));
    if (path.starts_with("manifests/")) {
      take(path, std::move(*text), manifests);
    } else {
      files[path] = std::move(*text);
    }
  }
  auto printed = project_manifests(manifests);
  if (!printed) {
    return fail(ErrorCode::invalid, fmt::format("the manifests of {}: {}", options.pattern, printed.error().message));
  }
  files.merge(std::move(*printed));
  return files;
}

}  // namespace pintle::tools
