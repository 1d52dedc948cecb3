// SPDX-License-Identifier: Apache-2.0
#include "flow_control.hpp"

#include <string_view>

#include "apiserver/registry/words.hpp"

namespace pintle::apiserver {
namespace {

using json::array;
using json::object;
using json::Value;

struct Level {
  std::string_view name{};
  int shares = 0;
  int lendable_percent = 0;
  int queues = 0;  // 0: requests beyond the limit are rejected
  int hand_size = 6;
};

constexpr Level levels[] = {
    {"catch-all", 5, 0},           {"global-default", 20, 50, 128}, {"leader-election", 10, 0, 16, 4},
    {"node-high", 40, 25, 64},     {"system", 30, 33, 64},          {"workload-high", 40, 50, 128},
    {"workload-low", 100, 90, 128}};

// A subject is "Group NAME", "User NAME" or "ServiceAccount NAMESPACE NAME"; several are separated by ';'. A rule is
// "VERBS GROUPS RESOURCES NAMESPACES", where GROUPS may be "core" and NAMESPACES "-" (cluster-scoped resources too), or
// "VERBS PATHS"; "" stands for the rules that match everything.
struct Flow {
  std::string_view name{};
  std::string_view level{};
  int precedence = 0;
  std::string_view distinguisher{};
  std::string_view subjects{};
  std::string_view rules{};
};

constexpr std::string_view everyone = "Group system:unauthenticated;Group system:authenticated";
constexpr std::string_view all_of_kube_system = "ServiceAccount kube-system *";

constexpr Flow flows[] = {
    {"catch-all", "catch-all", 10'000, "ByUser", everyone},
    {"endpoint-controller", "workload-high", 150, "ByUser",
     "User system:kube-controller-manager;ServiceAccount kube-system endpoint-controller;"
     "ServiceAccount kube-system endpointslicemirroring-controller",
     "get,create,update core endpoints *"},
    {"exempt", "exempt", 1, "", "Group system:masters"},
    {"global-default", "global-default", 9'900, "ByUser", everyone},
    {"kube-controller-manager", "workload-high", 800, "ByNamespace", "User system:kube-controller-manager"},
    {"kube-scheduler", "workload-high", 800, "ByNamespace", "User system:kube-scheduler"},
    {"kube-system-service-accounts", "workload-high", 900, "ByNamespace", all_of_kube_system},
    {"probes", "exempt", 2, "", everyone, "get /healthz,/readyz,/livez"},
    {"service-accounts", "workload-low", 9'000, "ByUser", "Group system:serviceaccounts"},
    {"system-leader-election", "leader-election", 100, "ByUser",
     "User system:kube-controller-manager;User system:kube-scheduler;ServiceAccount kube-system *",
     "get,create,update coordination.k8s.io leases *"},
    {"system-node-high", "node-high", 400, "ByUser", "Group system:nodes",
     "* core nodes,nodes/status -;* coordination.k8s.io leases *"},
    {"system-nodes", "system", 500, "ByUser", "Group system:nodes"},
    {"workload-leader-election", "leader-election", 200, "ByUser", all_of_kube_system,
     "get,create,update coordination.k8s.io leases *"},
};

array texts(std::string_view list) {
  array out;
  for (const std::string_view text : split(list, ',')) out.emplace_back(text == "core" ? std::string_view{} : text);
  return out;
}

object subject(std::string_view text) {
  const auto words = split(text, ' ');
  object out{{"kind", words[0]}};
  if (words[0] == "Group") out["group"] = object{{"name", words[1]}};
  if (words[0] == "User") out["user"] = object{{"name", words[1]}};
  if (words[0] == "ServiceAccount") out["serviceAccount"] = object{{"namespace", words[1]}, {"name", words[2]}};
  return out;
}

object rules(const Flow& flow) {
  array subjects;
  for (const std::string_view one : split(flow.subjects, ';')) subjects.emplace_back(subject(one));
  object out{{"subjects", std::move(subjects)}};
  array resources;
  array paths;
  for (const std::string_view rule : split(flow.rules.empty() ? "* * * -;* *" : flow.rules, ';')) {
    const auto words = split(rule, ' ');
    if (words.size() == 2) {
      paths.emplace_back(object{{"verbs", texts(words[0])}, {"nonResourceURLs", texts(words[1])}});
      continue;
    }
    object one{{"verbs", texts(words[0])}, {"apiGroups", texts(words[1])}, {"resources", texts(words[2])}};
    if (words[3] == "-") one["clusterScope"] = true;
    one["namespaces"] = array{"*"};
    resources.emplace_back(std::move(one));
  }
  if (!resources.empty()) out["resourceRules"] = std::move(resources);
  if (!paths.empty()) out["nonResourceRules"] = std::move(paths);
  return out;
}

}  // namespace

NamedSpecs priority_level_specs() {
  NamedSpecs out;
  out.emplace_back("exempt", object{{"type", "Exempt"},
                                    {"exempt", object{{"nominalConcurrencyShares", 0}, {"lendablePercent", 0}}}});
  for (const Level& level : levels) {
    object response{{"type", level.queues == 0 ? "Reject" : "Queue"}};
    if (level.queues != 0) {
      response["queuing"] = object{{"queues", level.queues}, {"handSize", level.hand_size}, {"queueLengthLimit", 50}};
    }
    object limited{{"nominalConcurrencyShares", level.shares},
                   {"limitResponse", std::move(response)},
                   {"lendablePercent", level.lendable_percent}};
    out.emplace_back(level.name, object{{"type", "Limited"}, {"limited", std::move(limited)}});
  }
  return out;
}

NamedSpecs flow_schema_specs() {
  NamedSpecs out;
  for (const Flow& flow : flows) {
    object spec{{"priorityLevelConfiguration", object{{"name", flow.level}}}, {"matchingPrecedence", flow.precedence}};
    if (!flow.distinguisher.empty()) spec["distinguisherMethod"] = object{{"type", flow.distinguisher}};
    spec["rules"] = array{rules(flow)};
    out.emplace_back(flow.name, std::move(spec));
  }
  return out;
}

}  // namespace pintle::apiserver
