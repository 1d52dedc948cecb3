// Names: what Kubernetes takes as the name of things. Each check answers what is wrong, or nothing.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <pintle/base/random.hpp>

namespace pintle::names {

// One sentence without the name in it: "must be at most 63 characters". Ready for a field error or a message of ours.
using Fault = std::optional<std::string>;

// RFC 1123 subdomain, at most 253 characters: the name of most objects, API groups.
[[nodiscard]] Fault subdomain_fault(std::string_view name);
// RFC 1123 label, at most 63: a namespace, a part of a subdomain.
[[nodiscard]] Fault label_fault(std::string_view name);
// RFC 1035 label, at most 63, begins with a letter: a Service, a plural.
[[nodiscard]] Fault rfc1035_fault(std::string_view name);
// "app", "example.com/app": a label key, an annotation key.
[[nodiscard]] Fault qualified_name_fault(std::string_view name);
// A qualified name with a prefix, "example.com/cleanup"; those of Kubernetes itself ("foregroundDeletion") need none.
[[nodiscard]] Fault finalizer_fault(std::string_view name);
// The value of a label; may be empty.
[[nodiscard]] Fault label_value_fault(std::string_view value);
// A key of a ConfigMap or Secret.
[[nodiscard]] Fault data_key_fault(std::string_view key);
// What can be one part of a URL path: names of roles and the like.
[[nodiscard]] Fault path_segment_fault(std::string_view name);

// `prefix` and five random characters, as a server makes of metadata.generateName.
[[nodiscard]] std::string generate(std::string_view prefix, Random& random);

}  // namespace pintle::names
