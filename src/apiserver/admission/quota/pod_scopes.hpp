// SPDX-License-Identifier: Apache-2.0
// The scopes of a ResourceQuota, which select Pods.
#pragma once

#include <string_view>

#include <pintle/json/document.hpp>

namespace pintle::apiserver {

// True if a Pod is in a scope: "Terminating", "NotTerminating", "BestEffort", "NotBestEffort", "PriorityClass" or
// "CrossNamespacePodAffinity". The operator and its values restrict the names of priority classes. Other scopes contain
// no Pod.
[[nodiscard]] bool is_in_scope(json::View pod, std::string_view scope, std::string_view operator_name,
                               json::View values);

}  // namespace pintle::apiserver
