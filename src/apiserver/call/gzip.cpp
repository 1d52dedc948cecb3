// SPDX-License-Identifier: Apache-2.0
#include "gzip.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include <zlib.h>

#include "apiserver/registry/words.hpp"

namespace pintle::apiserver {
namespace {

constexpr int level = 1;
constexpr int memory_level = 8;
constexpr int gzip_window = 15 + 16;  // the largest window, with a gzip header

// True for "gzip, deflate;q=0.5", false for "gzip;q=0".
bool wants_gzip(std::string_view accepted) {
  const auto codings = split(accepted, ',');
  return std::any_of(codings.begin(), codings.end(), [](std::string_view coding) {
    const auto [name, quality] = cut(coding, ';');
    const auto weight = cut(quality, '=').second;
    const bool is_refused = !weight.empty() && weight.find_first_not_of("0. ") == std::string_view::npos;
    return name.substr(std::min(name.find_first_not_of(' '), name.size())) == "gzip" && !is_refused;
  });
}

// Compresses text piece by piece.
class Gzip {
 public:
  Gzip()
      : is_ready_(deflateInit2(&stream_, level, Z_DEFLATED, gzip_window, memory_level, Z_DEFAULT_STRATEGY) == Z_OK) {}
  ~Gzip() {
    if (is_ready_) deflateEnd(&stream_);
  }
  Gzip(const Gzip&) = delete;
  Gzip& operator=(const Gzip&) = delete;

  // False if zlib could not allocate its memory.
  [[nodiscard]] bool is_ready() const { return is_ready_; }

  void add(std::string& text, bool is_last, std::string& out) {
    stream_.next_in = static_cast<Bytef*>(static_cast<void*>(text.data()));
    stream_.avail_in = static_cast<uInt>(text.size());
    do {
      stream_.next_out = piece_.data();
      stream_.avail_out = static_cast<uInt>(piece_.size());
      deflate(&stream_, is_last ? Z_FINISH : Z_NO_FLUSH);
      out.append(piece_.begin(), piece_.end() - stream_.avail_out);
    } while (stream_.avail_out == 0);
  }

 private:
  z_stream stream_{};
  const bool is_ready_;
  std::array<Bytef, std::size_t{16} << 10U> piece_{};
};

// Compresses a document while it is read.
class GzipStream final : public http::BodyStream {
 public:
  GzipStream(std::unique_ptr<http::BodyStream> document, std::unique_ptr<Gzip> gzip)
      : document_(std::move(document)), gzip_(std::move(gzip)) {}

  State read(std::string& out) override {
    const std::size_t begin = out.size();
    State state = State::more;
    while (out.size() == begin && state == State::more) {
      text_.clear();
      state = document_->read(text_);
      gzip_->add(text_, state == State::ended, out);
    }
    return state;
  }
  void on_ready(std::function<void()> wake) override { document_->on_ready(std::move(wake)); }
  [[nodiscard]] bool is_document() const override { return true; }

 private:
  const std::unique_ptr<http::BodyStream> document_;
  const std::unique_ptr<Gzip> gzip_;
  std::string text_;
};

bool is_large(const http::Response& response) {
  return response.stream == nullptr ? response.body.size() >= min_compressed_size : response.stream->is_document();
}

}  // namespace

void compress_if_accepted(const http::Request& request, http::Response& response) {
  if (request.method != "GET" || response.status != 200 || !is_large(response)) return;
  if (!wants_gzip(request.headers.get("Accept-Encoding").value_or(""))) return;
  auto gzip = std::make_unique<Gzip>();
  if (!gzip->is_ready()) return;
  if (response.stream != nullptr) {
    response.stream = std::make_unique<GzipStream>(std::move(response.stream), std::move(gzip));
  } else {
    std::string whole = std::exchange(response.body, {});
    gzip->add(whole, true, response.body);
  }
  response.headers.set("Content-Encoding", "gzip");
  response.headers.set("Vary", "Accept-Encoding");
}

}  // namespace pintle::apiserver
