// SPDX-License-Identifier: Apache-2.0
// The names of the objects in the platform cluster that belong to an API object. They depend only on the API object, so
// that every program can compute them.
#pragma once

#include <string>
#include <string_view>

#include <pintle/base/annotations.hpp>
#include <pintle/base/result.hpp>
#include <pintle/object/kind.hpp>

namespace pintle::service {

// These functions return the error `unavailable` if OpenSSL does not provide the hash SHAKE128.

/// Returns the name of the namespace for the requests of a managed control plane: "mcp--" and a UUID, version 8, which
/// is a hash of the key `mcp`. An empty namespace in the key counts as "default".
[[nodiscard]] PINTLE_EXPORT Result<std::string> mcp_namespace(const ObjectKey& mcp);

/// "controller--object--suffix" in lower case, at most 63 characters: if necessary, the part before the suffix is
/// shortened.
[[nodiscard]] PINTLE_EXPORT Result<std::string> request_name(std::string_view controller, std::string_view object,
                                                             std::string_view suffix);

/// A name of at most `max_length` characters: `name` itself, or its beginning, "--" and an eight-character hash of the
/// whole name. Error: `invalid`, if this leaves no room for a beginning.
[[nodiscard]] PINTLE_EXPORT Result<std::string> shorten_name(std::string_view name, std::size_t max_length = 63);

}  // namespace pintle::service
