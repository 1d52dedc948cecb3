// Cells that several kinds have.
#pragma once

#include <string>
#include <string_view>

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

}  // namespace pintle::apiserver
