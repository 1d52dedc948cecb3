// SPDX-License-Identifier: Apache-2.0
// Conversions: converts the objects of a ConversionReview with the functions of the author.
#pragma once

#include <map>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include <pintle/base/result.hpp>
#include <pintle/object/conversion.hpp>

#include "conversion_review.hpp"

namespace pintle {

// Immutable, so it is thread-safe if the functions of the author are.
class Conversions {
 public:
  explicit Conversions(std::vector<AnyConversion> conversions);

  [[nodiscard]] bool empty() const noexcept { return by_kind_.empty(); }

  // Converts all objects, or returns the error of the first one that cannot be converted. The metadata of
  // a converted object differs from that of the original only in labels and annotations. Throws what the functions of
  // the author throw. Errors: invalid, with the name of the object; cancelled. Error::http_status is 422 for a kind
  // that has no conversion, and 0 otherwise.
  [[nodiscard]] Result<ConvertedObjects> convert(const ConversionRequest& request, const std::stop_token& stop) const;

 private:
  [[nodiscard]] Result<json::Value> convert(const Object& object, const std::string& api_version) const;

  std::map<std::pair<std::string, std::string>, AnyConversion> by_kind_;  // by group and kind
};

// Returns the errors of the declarations, each with the remedy.
[[nodiscard]] std::vector<Error> validate(const std::vector<AnyConversion>& conversions);

}  // namespace pintle
