// SPDX-License-Identifier: Apache-2.0
// Rules for Pods and for the pod templates of workloads and jobs.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <pintle/json/document.hpp>
#include <pintle/json/value.hpp>

#include "apiserver/registry/refusal.hpp"

namespace pintle::apiserver {

// Sets the defaults of a pod spec. `pod`: a Pod, or another value with a member `spec`.
void default_pod_spec(json::Value& pod);

// Validates a template and the selector for its Pods.
void validate_template(const json::Value& object, std::string_view kind, std::vector<StatusCause>& causes);
// `claims`: the volumeClaimTemplates of a StatefulSet.
void validate_pod_spec(json::View spec, const std::string& field, std::vector<StatusCause>& causes,
                       json::View claims = {});

// The cells Containers, Images and Selector; null for another column. `spec` contains the template.
[[nodiscard]] json::Value template_cell(std::string_view column, json::View spec);

}  // namespace pintle::apiserver
