// SPDX-License-Identifier: Apache-2.0
// --print-deploy: collects what the manifests are made of, and prints or writes them.
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include <pintle/base/file.hpp>

#include "manager/manager_state.hpp"
#include "manifests.hpp"
#include "webhook/webhook_configurations.hpp"

namespace pintle {
namespace {

namespace fs = std::filesystem;
using Files = std::map<std::string, std::string>;

// Returns the files of an earlier deployment that are not among `files`, for example after a change of flags. Helm
// would install them too.
std::vector<fs::path> outdated_files(const DeployOptions& deploy, const Files& files, const std::string& mark) {
  if (deploy.format == DeployFormat::yaml) return {};
  const fs::path inner = deploy.format == DeployFormat::helm ? "templates" : "";
  const std::set<fs::path> of_other_formats{"deploy.yaml", "Chart.yaml", "values.yaml"};
  std::vector<fs::path> outdated;
  std::error_code error;
  for (fs::directory_iterator at(fs::path(deploy.out) / inner, error), end; !error && at != end; at.increment(error)) {
    const fs::path name = inner / at->path().filename();
    std::error_code ignored;
    if (files.contains(name) || of_other_formats.contains(name) || name.extension() != ".yaml") continue;
    if (!at->is_regular_file(ignored)) continue;
    const auto there = read_file(at->path());
    if (there && there->starts_with(mark)) outdated.push_back(at->path());
  }
  return outdated;
}

// Checks all files before it writes the first one. Removes outdated files.
Result<void> write_files(const DeployOptions& deploy, const Files& files, const std::string& mark) {
  const fs::path folder = deploy.out;
  for (const auto& [name, text] : files) {
    const fs::path path = folder / name;
    std::error_code error;
    if (!fs::exists(path, error)) continue;
    const auto there = read_file(path);
    if (there && there->starts_with(mark)) continue;
    return fail(ErrorCode::already_exists, path.string() +
                                               " exists, and --print-deploy has not written it; remove it, "
                                               "or use another folder for --deploy-out");
  }
  for (const auto& [name, text] : files) {
    const fs::path path = folder / name;
    std::error_code error;
    fs::create_directories(path.parent_path(), error);
    errno = error ? error.value() : 0;
    std::ofstream file(path, std::ios::binary | std::ios::trunc);
    if ((file << mark << text).flush()) continue;
    return fail(ErrorCode::unavailable, "cannot write " + path.string() + ": " + std::strerror(errno));
  }
  for (const fs::path& path : outdated_files(deploy, files, mark)) {
    std::error_code error;
    fs::remove(path, error);
    if (error) return fail(ErrorCode::unavailable, "cannot remove " + path.string() + ": " + error.message());
  }
  return {};
}

}  // namespace

Result<std::string> Manager::State::print_deployment() {
  const DeployOptions& deploy = flags->deploy;
  std::vector<DeployedFlag> given = flags->deployed;
  const bool has_webhooks = !admissions.empty() || !declared_conversions(specs, conversions).empty();
  if (auto set = set_up_for_cluster(options, deploy, given, has_webhooks); !set) return fail(std::move(set.error()));
  if (auto errors = start_errors(); !errors.empty()) return fail(joined(std::move(errors)));

  // The Lease and the Secret that the instances share are in the namespace of the operator.
  const std::string namespace_ = deploy_namespace(deploy, options);
  if (options.webhooks.service_namespace.empty()) options.webhooks.service_namespace = namespace_;
  if (options.leader_election && options.leader_election->namespace_.empty()) {
    options.leader_election->namespace_ = namespace_;
  }
  ManifestSource deployment{
      .options = options, .deploy = deploy, .flags = std::move(given), .roles = roles(), .has_webhooks = has_webhooks};
  if (options.crds == CrdPolicy::never) {
    auto crds = printed_crds();
    if (!crds) return fail(std::move(crds.error()));
    deployment.crds = std::move(*crds);
  }
  if (options.webhooks.install == WebhookPolicy::never && has_webhooks) {
    const auto address = printed_address();
    if (!address) return fail(address.error());
    deployment.webhook_configurations = webhook_configurations(admissions, options.name, *address);
  }
  const Files files = pintle::print_deployment(deployment);
  if (!deploy.out.empty()) {
    auto written = write_files(deploy, files, deploy_mark(options.name));
    return written ? Result<std::string>("") : fail(std::move(written.error()));
  }
  std::string text;
  for (const auto& [name, content] : files) text += (files.size() == 1 ? "" : "# Source: " + name + "\n") + content;
  return text;
}

}  // namespace pintle
