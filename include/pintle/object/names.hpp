// SPDX-License-Identifier: Apache-2.0
// Names: the rules of Kubernetes for names. Each check returns the violated rule, or nothing.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <pintle/base/annotations.hpp>
#include <pintle/base/random.hpp>

namespace pintle::names {

/// The violated rule as a sentence without the name: "must be at most 63 characters". Suitable for field errors and for
/// messages.
using ValidationError = std::optional<std::string>;

/// RFC 1123 subdomain, at most 253 characters: the names of most objects and of API groups.
[[nodiscard]] PINTLE_EXPORT ValidationError validate_dns1123_subdomain(std::string_view name);
/// RFC 1123 label, at most 63 characters: the names of namespaces and the parts of a subdomain.
[[nodiscard]] PINTLE_EXPORT ValidationError validate_dns1123_label(std::string_view name);
/// RFC 1035 label, at most 63 characters, begins with a letter: the names of Services and the plurals of kinds.
[[nodiscard]] PINTLE_EXPORT ValidationError validate_dns1035_label(std::string_view name);
/// "app", "example.com/app": the keys of labels and annotations.
[[nodiscard]] PINTLE_EXPORT ValidationError validate_qualified_name(std::string_view name);
/// A qualified name with a prefix, "example.com/cleanup". The finalizers of Kubernetes itself ("foregroundDeletion")
/// need no prefix.
[[nodiscard]] PINTLE_EXPORT ValidationError validate_finalizer_name(std::string_view name);
/// The value of a label; may be empty.
[[nodiscard]] PINTLE_EXPORT ValidationError validate_label_value(std::string_view value);
/// A key of a ConfigMap or Secret.
[[nodiscard]] PINTLE_EXPORT ValidationError validate_config_map_key(std::string_view key);
/// One segment of a URL path: the names of Roles and similar objects.
[[nodiscard]] PINTLE_EXPORT ValidationError validate_path_segment_name(std::string_view name);

/// Returns `prefix` followed by five random characters, as a server does for metadata.generateName. A prefix of more
/// than 58 characters is cut, so that the name has at most 63.
[[nodiscard]] PINTLE_EXPORT std::string generate(std::string_view prefix, Random& random);

}  // namespace pintle::names
