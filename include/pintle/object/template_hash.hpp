// SPDX-License-Identifier: Apache-2.0
// template_hash(): a short text that identifies a value, for names and labels such as pod-template-hash.
#pragma once

#include <string>

#include <pintle/base/annotations.hpp>
#include <pintle/json/document.hpp>
#include <pintle/json/value.hpp>
#include <pintle/object/fields.hpp>
#include <pintle/object/operations.hpp>

namespace pintle {

/// Returns ten lower-case letters and digits, without vowels, that depend on the whole value but not on the order of
/// its members. Equal values have equal texts in every process and in every version of this library. Two different
/// values have the same text with a probability of about 2^-47; this is not a protection against values that are made
/// to collide.
[[nodiscard]] PINTLE_EXPORT std::string template_hash(json::View value);
[[nodiscard]] inline std::string template_hash(const json::Value& value) {
  return template_hash(json::Document(value).root());
}
/// The hash of a described struct as it would be written: template_hash(deployment.spec.template_).
template <HasFields T>
[[nodiscard]] std::string template_hash(const T& value) {
  return template_hash(internal::Operations<T>::write(&value));
}

}  // namespace pintle
