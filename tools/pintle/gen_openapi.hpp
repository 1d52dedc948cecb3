// SPDX-License-Identifier: Apache-2.0
// Converts OpenAPI v3 documents, as a cluster serves them under /openapi/v3, to structs.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include <pintle/base/result.hpp>
#include <pintle/json/document.hpp>

#include "gen_model.hpp"
#include "gen_schema.hpp"

namespace pintle::tools {

// The schemas of any number of documents. A schema that is in several documents must be the same in all of them.
class OpenApiSchemas {
 public:
  // Returns whether a document is an OpenAPI document.
  [[nodiscard]] static bool is_openapi(json::View document);

  // `document` must outlive this object. Error: invalid, if a schema differs from another one with the same name.
  [[nodiscard]] Result<void> add(json::View document, const Place& place);

  // Adds a struct for each schema that is an object with properties. The schemas of Kubernetes itself ("io.k8s.…") are
  // added only if `root` is "pintle::api"; otherwise the existing structs in that namespace are used.
  [[nodiscard]] Result<void> read(const std::string& root, Headers& headers, std::vector<std::string>& warnings);

 private:
  struct Schema {
    json::View schema;
    Place place;
    std::set<std::string> refs;
  };

  [[nodiscard]] Result<SchemaType> resolve(const std::string& from, std::string_view ref, const std::string& root,
                                           Header& header, StructType& owner, const Place& place) const;
  // Returns the schemas that a schema uses, directly or not, and itself.
  [[nodiscard]] std::set<std::string> closure(const std::string& from) const;
  [[nodiscard]] bool reaches(const std::string& from, const std::string& to) const;
  [[nodiscard]] HeaderName header_of(const std::string& name) const;

  std::map<std::string, Schema> schemas_;
  std::set<std::string> small_;  // the schemas of a header of their own
};

}  // namespace pintle::tools
