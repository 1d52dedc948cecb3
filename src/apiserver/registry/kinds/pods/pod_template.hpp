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

// Validates the template in the spec of a workload, and the selector for its Pods.
void validate_template(json::View spec, std::string_view kind, std::vector<StatusCause>& causes);
// The part of it about Pods that restart and have no deadline.
void validate_lasting_template(json::View made, std::string_view kind, std::vector<StatusCause>& causes);
// Validates a template, whatever its kind.
void validate_pod_template(json::View made, const std::string& field, std::vector<StatusCause>& causes,
                           json::View claims = {});
// `claims`: the volumeClaimTemplates of a StatefulSet.
void validate_pod_spec(json::View spec, const std::string& field, std::vector<StatusCause>& causes,
                       json::View claims = {});

// The cells Containers, Images and Selector; null for another column. `spec` contains the template.
[[nodiscard]] json::Value template_cell(std::string_view column, json::View spec);

}  // namespace pintle::apiserver
