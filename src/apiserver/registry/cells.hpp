// Cells that several kinds have.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <pintle/base/time.hpp>
#include <pintle/json/document.hpp>

namespace pintle::apiserver {

// How long ago, in the one or two units that a person wants: "5s", "3m20s", "4h", "12d", "2y40d".
[[nodiscard]] std::string human_duration(Duration duration);
// The same since an RFC 3339 text; "<unknown>" when there is none, "<invalid>" when it is not one.
[[nodiscard]] std::string human_age(std::string_view timestamp, WallTime now);
[[nodiscard]] std::string age_cell(json::View object, WallTime now);

// A JSON view as the integer of a cell, 0 when there is none.
[[nodiscard]] std::int64_t integer_cell(json::View value);

// The text, or `instead` where there is none.
[[nodiscard]] std::string text_cell(json::View value, std::string_view instead = "<none>");

// The texts with a comma between them.
[[nodiscard]] std::string list_cell(json::View list);
// One member of each item, with a comma between them.
[[nodiscard]] std::string list_cell(json::View list, std::string_view member);

// A label selector, or a plain map of labels, as text; "<none>" for one without requirements.
[[nodiscard]] std::string selector_cell(json::View selector);

// As Kubernetes prints what is true or not: "True", "False".
[[nodiscard]] std::string truth_cell(json::View value);

// Up to three texts, and how many more there are.
[[nodiscard]] std::string first_three(const std::vector<std::string>& texts);

}  // namespace pintle::apiserver
