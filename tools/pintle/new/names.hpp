// SPDX-License-Identifier: Apache-2.0
// The names in a new project: those that the user chooses, and those that follow from them.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include <pintle/base/result.hpp>

namespace pintle::tools {

// These functions return the error `invalid` if a name cannot be used; the message states the rule.

// The name of the operator, its program, image and namespace in the cluster: a DNS label that is no target of CMake.
[[nodiscard]] Result<void> check_project_name(std::string_view name);
// The kind, "CronTab", in a project with this pattern.
[[nodiscard]] Result<void> check_kind(std::string_view kind, std::string_view pattern);
// The API group, "example.com".
[[nodiscard]] Result<void> check_group(std::string_view group);
// The Git repository of pintle; "": none.
[[nodiscard]] Result<void> check_git_url(std::string_view url);
// A tag, branch or commit of it; "": that of this program.
[[nodiscard]] Result<void> check_git_tag(std::string_view tag);

// "cron-tab-operator" → CronTab.
[[nodiscard]] std::string kind_of_project(std::string_view name);
// "cron-tab" → cron_tab_operator, "cron-tab-operator" → cron_tab_operator. Never a keyword of C++ or a macro.
[[nodiscard]] std::string cpp_namespace(std::string_view name);

// The patterns, in the order of the documentation.
[[nodiscard]] std::span<const std::string_view> pattern_names();
// Error: invalid, with the nearest name.
[[nodiscard]] Result<void> check_pattern(std::string_view pattern);

}  // namespace pintle::tools
