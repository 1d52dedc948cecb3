// SPDX-License-Identifier: Apache-2.0
// Forward declarations of what a client sends and receives with. The definitions are in message.hpp and transport.hpp.
#pragma once

namespace pintle::http {

class Transport;
struct BufferedResponse;
struct Request;

}  // namespace pintle::http
