// SPDX-License-Identifier: Apache-2.0
#include <pintle/client/cluster.hpp>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <pintle/base/environment.hpp>

#include "files.hpp"
#include "kubeconfig.hpp"

namespace pintle {

namespace {

// Splits a list of files such as $KUBECONFIG at its colons. Empty entries are ignored.
std::vector<std::string> split_list(std::string_view list) {
  std::vector<std::string> files;
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(':'), list.size());
    if (end != 0) files.emplace_back(list.substr(0, end));
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return files;
}

// A missing file counts as empty, as in kubectl. If all files are missing, returns an error.
Result<Cluster> load_list(const std::string& list, std::string_view context, std::optional<WallTime> now) {
  const std::vector<std::string> files = split_list(list);
  std::vector<std::string> present;
  for (const std::string& file : files) {
    if (file_exists(file)) present.push_back(file);
  }
  if (!present.empty()) return load_kubeconfigs(present, context, now);
  return fail(ErrorCode::invalid, "$KUBECONFIG is \"" + list + "\", and " +
                                      (files.size() == 1 ? "this file does not exist" : "none of these files exists") +
                                      "; correct or unset it, or specify a kubeconfig");
}

}  // namespace

Result<Cluster> find_cluster(const std::string& kubeconfig, std::string_view context, std::optional<WallTime> now) {
  if (!kubeconfig.empty()) return load_kubeconfig(kubeconfig, context, now);
  if (const std::string list = environment_variable("KUBECONFIG"); !split_list(list).empty())
    return load_list(list, context, now);
  if (!environment_variable("KUBERNETES_SERVICE_HOST").empty() &&
      !environment_variable("KUBERNETES_SERVICE_PORT").empty()) {
    if (context.empty()) return load_in_cluster("", now);
    return fail(ErrorCode::invalid,
                "context \"" + std::string(context) +
                    "\" is requested, but this process runs in a pod and $KUBECONFIG is not set; specify a kubeconfig");
  }
  const std::string home = environment_variable("HOME");
  const std::string file = home + "/.kube/config";
  if (!home.empty() && file_exists(file)) return load_kubeconfig(file, context, now);
  return fail(ErrorCode::invalid,
              "no cluster is configured: $KUBECONFIG is not set, this process does not run in a pod "
              "(KUBERNETES_SERVICE_HOST and _PORT are not both set), and " +
                  (home.empty() ? std::string("$HOME is not set") : "there is no " + file) + "; specify a kubeconfig");
}

}  // namespace pintle
