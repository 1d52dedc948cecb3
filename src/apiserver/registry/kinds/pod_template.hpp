// What everything that has a pod in it shares: Pod, and the template of workloads and jobs.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <pintle/json/document.hpp>
#include <pintle/json/value.hpp>

#include "apiserver/registry/refusal.hpp"

namespace pintle::apiserver {

// What a pod spec has where nobody said anything. `pod`: a Pod, or a place with `spec`.
void default_pod_spec(json::Value& pod);

// What is wrong with a template and with the selector that is to find its pods.
void validate_template(const json::Value& object, std::string_view kind, std::vector<Cause>& causes);
void validate_pod_spec(json::View spec, const std::string& field, std::vector<Cause>& causes);

// The cells Containers, Images and Selector; null for another column. `spec`: the one with the template.
[[nodiscard]] json::Value template_cell(std::string_view column, json::View spec);

}  // namespace pintle::apiserver
