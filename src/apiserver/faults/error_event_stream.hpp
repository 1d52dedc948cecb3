// SPDX-License-Identifier: Apache-2.0
// ErrorEventStream: a watch that ends with an error.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include <pintle/apiserver/faults.hpp>
#include <pintle/http/handler.hpp>
#include <pintle/sim/event_ends.hpp>

namespace pintle::apiserver {

// Passes on the number of events that the ErrorEvent allows, then sends the ERROR event.
class ErrorEventStream final : public http::BodyStream {
 public:
  ErrorEventStream(std::unique_ptr<http::BodyStream> watch, const ErrorEvent& event, bool is_protobuf);

  State read(std::string& out) override;
  void on_ready(std::function<void()> wake) override { watch_->on_ready(std::move(wake)); }
  [[nodiscard]] Instant next_deadline() const override { return watch_->next_deadline(); }

 private:
  const std::unique_ptr<http::BodyStream> watch_;
  const std::string last_;  // the ERROR event
  http::EventEnds ends_;
  std::uint64_t left_;  // events that still precede it
};

}  // namespace pintle::apiserver
