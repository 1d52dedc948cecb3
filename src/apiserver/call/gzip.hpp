// gzip: large answers in fewer bytes, for those who ask.
#pragma once

#include <cstddef>

#include <pintle/http/handler.hpp>

namespace pintle::apiserver {

// What a real server takes for large: it compresses that, and here it is printed while it is read.
inline constexpr std::size_t least_large = std::size_t{128} << 10U;

// What a real server compresses, and how much: a read that was answered well, with so much, and no watch. A stream that
// is a document has so much.
void compress_if_wanted(const http::Request& request, http::Response& response);

}  // namespace pintle::apiserver
