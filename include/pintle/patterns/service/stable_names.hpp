// The names of what belongs to an API object in the platform cluster; everybody who knows the object can tell them.
#pragma once

#include <string>
#include <string_view>

#include <pintle/base/result.hpp>
#include <pintle/object/kind.hpp>

namespace pintle::service {

// The error of each of these is `unavailable`: OpenSSL does not give the hash (SHAKE128).

// The namespace of a managed control plane: "mcp--" and a UUID, version 8, of its namespace ("default" if it has none)
// and name.
[[nodiscard]] Result<std::string> mcp_namespace(const ObjectKey& mcp);

// "controller--object--suffix" in lower case, at most 63 characters: the part before the suffix is shortened.
[[nodiscard]] Result<std::string> request_name(std::string_view controller, std::string_view object,
                                               std::string_view suffix);

// A name of at most `most` characters: itself, or its beginning, "--" and eight characters that stand for the whole.
// Error: invalid, when these do not leave room for a beginning.
[[nodiscard]] Result<std::string> shorten_name(std::string_view name, std::size_t most = 63);

}  // namespace pintle::service
