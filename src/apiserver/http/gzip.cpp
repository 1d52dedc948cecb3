#include "gzip.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include <zlib.h>

#include "../registry/words.hpp"

namespace pintle::apiserver {
namespace {

constexpr std::size_t least_to_compress = std::size_t{128} << 10U;
constexpr int level = 1;
constexpr int memory_level = 8;
constexpr int gzip_window = 15 + 16;  // the largest, with gzip's head

// One of "gzip, deflate;q=0.5", but not "gzip;q=0".
bool wants_gzip(std::string_view accepted) {
  const auto codings = split(accepted, ',');
  return std::any_of(codings.begin(), codings.end(), [](std::string_view coding) {
    const auto [name, quality] = cut(coding, ';');
    const auto weight = cut(quality, '=').second;
    const bool is_refused = !weight.empty() && weight.find_first_not_of("0. ") == std::string_view::npos;
    return name.substr(std::min(name.find_first_not_of(' '), name.size())) == "gzip" && !is_refused;
  });
}

// Nothing where there is no memory for it.
std::string compressed(std::string& text) {
  z_stream stream{};
  if (deflateInit2(&stream, level, Z_DEFLATED, gzip_window, memory_level, Z_DEFAULT_STRATEGY) != Z_OK) return {};
  std::string out(deflateBound(&stream, text.size()), '\0');
  const auto bytes_of = [](std::string& of) { return static_cast<Bytef*>(static_cast<void*>(of.data())); };
  stream.next_in = bytes_of(text);
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = bytes_of(out);
  stream.avail_out = static_cast<uInt>(out.size());
  const bool done = deflate(&stream, Z_FINISH) == Z_STREAM_END;
  out.resize(done ? stream.total_out : 0);
  deflateEnd(&stream);
  return out;
}

}  // namespace

void compress_if_wanted(const http::Request& request, http::Response& response) {
  if (request.method != "GET" || response.status != 200 || response.stream) return;
  if (response.body.size() < least_to_compress) return;
  if (!wants_gzip(request.headers.get("Accept-Encoding").value_or(""))) return;
  std::string smaller = compressed(response.body);
  if (smaller.empty()) return;
  response.body = std::move(smaller);
  response.headers.set("Content-Encoding", "gzip");
  response.headers.set("Vary", "Accept-Encoding");
}

}  // namespace pintle::apiserver
