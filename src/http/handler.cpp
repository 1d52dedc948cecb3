// SPDX-License-Identifier: Apache-2.0
#include <pintle/http/handler.hpp>

#include <utility>

namespace pintle::http {

void read_full_body(Response& response) {
  if (response.stream == nullptr || !response.stream->is_document()) return;
  const std::unique_ptr<BodyStream> stream = std::move(response.stream);
  stream->on_ready([] {});
  BodyStream::State state = BodyStream::State::more;
  while (state == BodyStream::State::more) state = stream->read(response.body);
  if (state != BodyStream::State::ended) response = {.status = 0};
}

}  // namespace pintle::http
