// SPDX-License-Identifier: Apache-2.0
// Table: objects as rows of text and numbers, in the columns that the server prints for their kind.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <pintle/json/value.hpp>
#include <pintle/object/object.hpp>

namespace pintle {

struct TableColumn {
  std::string name{};    ///< "Ready"
  std::string type{};    ///< OpenAPI type of the cells: "string", "integer"
  std::string format{};  ///< "name" for the name of the object; otherwise usually empty
  std::string description{};
  std::int64_t priority = 0;  ///< 0: always shown; higher: only in wide output
};

struct TableRow {
  std::vector<json::Value> cells{};  ///< one for each column
  Object object{};                   ///< its metadata, as a PartialObjectMetadata
};

/// One page of a list in the form that `kubectl get` prints. A plain value.
struct Table {
  std::vector<TableColumn> columns{};
  std::vector<TableRow> rows{};
  std::string resource_version{};
  std::string continue_{};  ///< not empty: there are more pages
};

}  // namespace pintle
