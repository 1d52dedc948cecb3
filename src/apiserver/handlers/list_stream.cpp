// SPDX-License-Identifier: Apache-2.0
#include "list_stream.hpp"

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "apiserver/call/gzip.hpp"

namespace pintle::apiserver {
namespace {

constexpr std::size_t list_read_size = std::size_t{64} << 10U;

// The items of a list, printed while they are read.
class ListStream final : public http::BodyStream {
 public:
  // `resource` must be the one of `presenter`, which does not own it.
  ListStream(ResourcePtr resource, Presenter presenter, std::vector<Object> objects)
      : resource_(std::move(resource)), presenter_(std::move(presenter)), objects_(std::move(objects)) {}

  State read(std::string& out) override {
    if (given_back_.empty()) return append(out, list_read_size) ? State::ended : State::more;
    if (out.empty()) {
      out.swap(given_back_);
    } else {
      out += std::exchange(given_back_, {});
    }
    return State::more;
  }
  void on_ready(std::function<void()> /*wake*/) override {}
  [[nodiscard]] bool is_document() const override { return true; }

  // Appends about `size` bytes. Returns true if the list is complete.
  bool append(std::string& out, std::size_t size) {
    const std::size_t begin = out.size();
    for (bool is_first = true; next_ < objects_.size(); is_first = false) {
      if (out.size() - begin >= size) return false;
      if (next_ > 0) out += ',';
      const Object object = std::move(objects_[next_++]);
      presenter_.append_item(out, object);
      // Objects of a list have similar sizes. The reserve of one eighth avoids copying everything to a larger buffer.
      const std::size_t left = (out.size() - begin) * (objects_.size() - next_);
      if (is_first) out.reserve(out.size() + std::min(left, size) / 8 * 9);
    }
    out += Presenter::end_of_list;
    return true;
  }

  // Sets the text to read first: the beginning of the list and the items that were appended to it.
  void put_back(std::string text) { given_back_ = std::move(text); }

 private:
  const ResourcePtr resource_;
  const Presenter presenter_;
  std::vector<Object> objects_;
  std::size_t next_ = 0;
  std::string given_back_;
};

}  // namespace

http::Response respond(const Call& call, std::vector<Object> objects, const ListHead& head, WallTime now) {
  const Presenter presenter = presenter_for(call, now);
  if (call.format.protobuf) {
    // The envelope begins with the size of the list, so the list is encoded as a whole.
    if (auto bytes = presenter.protobuf_list(objects, head)) return respond_protobuf(200, std::move(*bytes));
  }
  auto list = std::make_unique<ListStream>(call.resource, presenter, std::move(objects));
  std::string text;
  presenter.begin_list(text, head);
  const bool goes_out_as_printed = !call.format.yaml && !call.format.pretty;
  if (list->append(text, goes_out_as_printed ? min_compressed_size : std::string::npos)) {
    return respond(200, std::move(text), call.format);
  }
  http::Response response = respond(200, std::string(), call.format);
  list->put_back(std::move(text));
  response.stream = std::move(list);
  return response;
}

}  // namespace pintle::apiserver
