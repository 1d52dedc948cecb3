// SPDX-License-Identifier: Apache-2.0
// Writes a request in the form of HTTP/1.1.
#pragma once

#include <string>

#include <pintle/base/result.hpp>
#include <pintle/http/message.hpp>

namespace pintle::http {

// Returns the head and the body of a request to its endpoint, which it must have. Error: invalid if a part of it would
// change the meaning of the text, such as a line break in a header.
[[nodiscard]] Result<std::string> request_text(const Request& request);

// Error: invalid, for the same reasons, and for a request without an endpoint.
[[nodiscard]] Result<void> validate_request(const Request& request);

}  // namespace pintle::http
