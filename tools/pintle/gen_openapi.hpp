// OpenAPI v3 documents, as a cluster serves them under /openapi/v3, to structs.
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

// The schemas of any number of documents; one that is in several is the same in all.
class OpenApiSchemas {
 public:
  // Whether a document is one of OpenAPI.
  [[nodiscard]] static bool is_openapi(json::View document);

  // `document` lives as long as this. Error: invalid where a schema differs from that of the same name.
  [[nodiscard]] Result<void> add(json::View document, const Place& place);

  // Adds a struct for each schema that is an object with properties. Those of Kubernetes itself ("io.k8s.…") are added
  // only where `root` is "pintle::api"; elsewhere they are taken from there.
  [[nodiscard]] Result<void> read(const std::string& root, Headers& headers, std::vector<std::string>& warnings) const;

 private:
  struct Schema {
    json::View schema;
    Place place;
    std::set<std::string> refs;
  };

  [[nodiscard]] Result<SchemaType> resolve(const std::string& from, std::string_view ref, const std::string& root,
                                           Header& header, StructType& owner, const Place& place) const;
  [[nodiscard]] bool reaches(const std::string& from, const std::string& to) const;

  std::map<std::string, Schema> schemas_;
};

}  // namespace pintle::tools
