// SPDX-License-Identifier: Apache-2.0
// Informer::Core::Exchange: the common part of the lists and watches of an informer.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include <pintle/http/transport.hpp>

#include "informer_core.hpp"

namespace pintle {

// Reports the exchange to the client, and keeps the body of an error response for its Status. Used on the I/O thread.
class Informer::Core::Exchange : public http::ExchangeHandler {
 public:
  Exchange(std::shared_ptr<Core> core, const http::Request& request)
      : core_(std::move(core)), request_(request), begun_(core_->now()) {}

  void on_head(const http::ResponseHead& head) final;
  void on_body(std::string_view chunk) final;
  void on_end(Result<void> end) final;
  // From here on the exchange has no effect, and does not use the client.
  void detach() noexcept { detached_ = true; }

 protected:
  [[nodiscard]] bool is_success() const { return head_.status == 200; }
  virtual void on_response_head() {}
  virtual void on_chunk(std::string_view chunk) = 0;  // of a successful response
  virtual void on_response_end(Result<void> end, Instant now) = 0;

  const std::shared_ptr<Core> core_;

 private:
  void record_exchange();

  const http::Request request_;
  const Instant begun_;
  http::ResponseHead head_{.status = 0};
  std::string body_;
  bool detached_ = false;
};

}  // namespace pintle
