// SPDX-License-Identifier: Apache-2.0
#include "synthetic_response.hpp"

#include <utility>

namespace pintle {
namespace {

// Calls the handler when it is destroyed. A posted function runs, or is dropped because there is no I/O thread any
// more, and the handler must be called in both cases.
class Ending {
 public:
  Ending(std::shared_ptr<http::ExchangeHandler> handler, Result<http::BufferedResponse> response)
      : handler_(std::move(handler)), response_(std::move(response)) {}
  ~Ending() {
    if (!response_) {
      handler_->on_end(fail(std::move(response_.error())));
      return;
    }
    handler_->on_head({.status = response_->status, .headers = response_->headers});
    if (!response_->body.empty()) handler_->on_body(response_->body);
    handler_->on_end({});
  }
  Ending(const Ending&) = delete;
  Ending& operator=(const Ending&) = delete;

 private:
  const std::shared_ptr<http::ExchangeHandler> handler_;
  Result<http::BufferedResponse> response_;
};

}  // namespace

void end_exchange(http::Transport& transport, std::shared_ptr<http::ExchangeHandler> handler, Error error) {
  transport.post([ending = std::make_shared<Ending>(std::move(handler), fail(std::move(error)))] {});
}

void end_exchange(http::Transport& transport, std::shared_ptr<http::ExchangeHandler> handler,
                  http::BufferedResponse response) {
  transport.post([ending = std::make_shared<Ending>(std::move(handler), std::move(response))] {});
}

}  // namespace pintle
