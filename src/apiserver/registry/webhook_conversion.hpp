// SPDX-License-Identifier: Apache-2.0
// WebhookConversion: the conversion clause of a CustomResourceDefinition whose versions a webhook converts.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <pintle/json/document.hpp>
#include <pintle/object/schema/structural.hpp>

namespace pintle::apiserver {

// Immutable. The resources of all versions of a kind share it.
struct WebhookConversion {
  struct Version {
    std::optional<StructuralSchema> schema{};
    bool keeps_unknown = false;
  };

  json::Document client_config{};
  std::string review_version{};                            // of the ConversionReview: "v1"
  std::map<std::string, Version, std::less<>> versions{};  // also those that are not served
};

}  // namespace pintle::apiserver
