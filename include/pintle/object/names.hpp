// Names: the rules of Kubernetes for names. Each check returns the violated rule, or nothing.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <pintle/base/random.hpp>

namespace pintle::names {

/// The violated rule as a sentence without the name: "must be at most 63 characters". Suitable for field errors and for
/// messages.
using Fault = std::optional<std::string>;

/// RFC 1123 subdomain, at most 253 characters: the names of most objects and of API groups.
[[nodiscard]] Fault subdomain_fault(std::string_view name);
/// RFC 1123 label, at most 63 characters: the names of namespaces and the parts of a subdomain.
[[nodiscard]] Fault label_fault(std::string_view name);
/// RFC 1035 label, at most 63 characters, begins with a letter: the names of Services and the plurals of kinds.
[[nodiscard]] Fault rfc1035_fault(std::string_view name);
/// "app", "example.com/app": the keys of labels and annotations.
[[nodiscard]] Fault qualified_name_fault(std::string_view name);
/// A qualified name with a prefix, "example.com/cleanup". The finalizers of Kubernetes itself ("foregroundDeletion")
/// need no prefix.
[[nodiscard]] Fault finalizer_fault(std::string_view name);
/// The value of a label; may be empty.
[[nodiscard]] Fault label_value_fault(std::string_view value);
/// A key of a ConfigMap or Secret.
[[nodiscard]] Fault data_key_fault(std::string_view key);
/// One segment of a URL path: the names of Roles and similar objects.
[[nodiscard]] Fault path_segment_fault(std::string_view name);

/// Returns `prefix` followed by five random characters, as a server does for metadata.generateName.
[[nodiscard]] std::string generate(std::string_view prefix, Random& random);

}  // namespace pintle::names
