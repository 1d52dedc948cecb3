#include <pintle/http/handler.hpp>

#include <utility>

namespace pintle::http {

void collect_body(Response& response) {
  if (response.stream == nullptr || !response.stream->is_document()) return;
  const std::unique_ptr<BodyStream> stream = std::move(response.stream);
  stream->on_ready([] {});
  while (stream->read(response.body) == BodyStream::State::more) {}
}

}  // namespace pintle::http
