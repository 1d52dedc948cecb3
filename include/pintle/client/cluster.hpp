// Cluster: where an API server is and who we are there; from a kubeconfig, from inside a pod, or given.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <pintle/base/result.hpp>
#include <pintle/http/message.hpp>

namespace pintle {

// A plain value; safe to share once loaded.
struct Cluster {
  std::shared_ptr<const http::Endpoint> endpoint{};
  std::string token{};                  // bearer token; with a token file, what is used while that gives none
  std::string token_file{};             // the file it is read from, again at most a minute later
  std::string namespace_ = "default";   // of the context, or of the pod
  std::string origin{};                 // for messages: "context dev of /home/a/.kube/config", "in-cluster"
  std::vector<std::string> warnings{};  // logged by Client: "the certificate of https://… is not verified …"
};

// Reads a kubeconfig (clusters, users, contexts; data or files, relative to it). `context` empty: current-context.
// Errors: invalid, naming file, entry and what to do; unsupported for what we do not do yet (exec plugins, auth
// providers), naming it.
[[nodiscard]] Result<Cluster> load_kubeconfig(const std::string& file, std::string_view context = {});

// The same from a text, say of a Secret; `origin` stands for it in messages. It names no files: a path in it would be
// read with the rights of this process, on behalf of whoever wrote the text. Error: invalid, for a path too.
[[nodiscard]] Result<Cluster> parse_kubeconfig(std::string_view text, const std::string& origin,
                                               std::string_view context = {});

// The service account of the pod: KUBERNETES_SERVICE_HOST and _PORT, the mounted token, CA and namespace.
// `root` stands before /var/run/secrets in tests.
[[nodiscard]] Result<Cluster> load_in_cluster(const std::string& root = "");

// What an operator started by hand or in a pod means: `kubeconfig` when given, else the files in $KUBECONFIG, separated
// by colons and merged as kubectl does (the first that has an entry, or sets current-context, wins; a missing one
// counts as empty), else in-cluster when its variables are set, else ~/.kube/config. Error: invalid, listing what was
// tried.
[[nodiscard]] Result<Cluster> find_cluster(const std::string& kubeconfig = "", std::string_view context = {});

}  // namespace pintle
