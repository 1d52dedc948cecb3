// What the built-in kinds share: a schema to fit bodies to.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "resource.hpp"

namespace pintle::apiserver {

class BuiltinStrategy : public Strategy {
 public:
  // `members`: the properties of the kind beside apiVersion, kind and metadata, as JSON members: "\"data\": {…}, …".
  explicit BuiltinStrategy(std::string_view members);

  [[nodiscard]] Answer<void> accept(json::Value& object, std::vector<std::string>& unknown) const override;
  [[nodiscard]] const json::Document& schema() const noexcept { return schema_; }

 private:
  json::Document schema_;
};

// The built-in kinds of this server, one function a file under kinds/.
[[nodiscard]] ResourcePtr config_map_resource();
[[nodiscard]] ResourcePtr secret_resource();
[[nodiscard]] ResourcePtr namespace_resource();
[[nodiscard]] std::vector<ResourcePtr> event_resources();  // core and events.k8s.io, two views of the same objects
[[nodiscard]] ResourcePtr lease_resource();
[[nodiscard]] ResourcePtr replica_set_resource();
[[nodiscard]] ResourcePtr definition_resource();
[[nodiscard]] std::vector<ResourcePtr> review_resources();

}  // namespace pintle::apiserver
