// SPDX-License-Identifier: Apache-2.0
// Table cells that several kinds share.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <pintle/base/time.hpp>
#include <pintle/json/document.hpp>

namespace pintle::apiserver {

// Prints a duration in one or two units: "5s", "3m20s", "4h", "12d", "2y40d".
[[nodiscard]] std::string human_duration(Duration duration);
// The time since an RFC 3339 text; "<unknown>" if the text is empty, "<invalid>" if it cannot be parsed.
[[nodiscard]] std::string human_age(std::string_view timestamp, WallTime now);
[[nodiscard]] std::string age_cell(json::View object, WallTime now);

// An integer; 0 if there is none.
[[nodiscard]] std::int64_t integer_cell(json::View value);

// A text; `instead` if there is none.
[[nodiscard]] std::string text_cell(json::View value, std::string_view instead = "<none>");

// The texts of a list, separated by commas.
[[nodiscard]] std::string list_cell(json::View list);
// One member of each item, separated by commas.
[[nodiscard]] std::string list_cell(json::View list, std::string_view member);

// A label selector or a plain map of labels as text; "<none>" if it has no requirements.
[[nodiscard]] std::string selector_cell(json::View selector);

// A boolean as Kubernetes prints it: "True", "False".
[[nodiscard]] std::string truth_cell(json::View value);

// Up to three texts, and the number of the others.
[[nodiscard]] std::string first_three(const std::vector<std::string>& texts);

}  // namespace pintle::apiserver
