// SPDX-License-Identifier: Apache-2.0
// Forward declarations of HTTP types. The definitions are in message.hpp, transport.hpp and handler.hpp.
#pragma once

namespace pintle::http {

class Transport;
struct BufferedResponse;
struct Request;
struct Response;

}  // namespace pintle::http
