// gzip: large answers in fewer bytes, for those who ask.
#pragma once

#include <pintle/http/handler.hpp>

namespace pintle::apiserver {

// What a real server compresses, and how much: a read that was answered well, with 128 KiB or more, and no stream.
void compress_if_wanted(const http::Request& request, http::Response& response);

}  // namespace pintle::apiserver
