// SPDX-License-Identifier: Apache-2.0
// gzip: compresses large responses for clients that accept it.
#pragma once

#include <cstddef>

#include <pintle/http/handler.hpp>

namespace pintle::apiserver {

// The size from which kube-apiserver compresses a response. A list of this size is also printed while it is read.
inline constexpr std::size_t min_compressed_size = std::size_t{128} << 10U;

// Compresses the responses that kube-apiserver compresses, with the same level: those to a GET with status 200 and at
// least min_compressed_size bytes, but no watches. A stream that is a document is always that large.
void compress_if_accepted(const http::Request& request, http::Response& response);

}  // namespace pintle::apiserver
