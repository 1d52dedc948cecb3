// SPDX-License-Identifier: Apache-2.0
// DebugStream: the server-sent events of the debug API.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <string_view>

#include <pintle/base/executor.hpp>
#include <pintle/http/handler.hpp>
#include <pintle/json/value.hpp>

#include "controller/history/reconcile_history.hpp"
#include "log_tail.hpp"

namespace pintle {

// Reads new reconciles and lines four times a second, so an idle operator does not notice an open stream, and a
// busy one sends at most 100 of each in a second.
class DebugStream final : public http::BodyStream {
 public:
  // The content of the stream. It must outlive the stream.
  struct Sources {
    const Executor& executor;
    const ReconcileHistory& history;
    const LogTail& log;
    std::function<json::Value()> controllers{};
  };
  struct Options {
    ReconcileHistory::Filter reconciles{};
    std::set<std::string, std::less<>> events{};  // names; empty: all
  };

  // `open` counts the streams that exist.
  DebugStream(Sources sources, Options options, std::shared_ptr<std::atomic<int>> open);
  ~DebugStream() override;
  DebugStream(const DebugStream&) = delete;
  DebugStream& operator=(const DebugStream&) = delete;

  [[nodiscard]] State read(std::string& out) override;
  void on_ready(std::function<void()> wake) override { (void)wake; }
  [[nodiscard]] Instant next_deadline() const override { return next_; }

 private:
  [[nodiscard]] bool wants(std::string_view event) const;
  void add_reconciles(std::string& out);
  void add_lines(std::string& out);

  const Sources sources_;
  const Options options_;
  const std::shared_ptr<std::atomic<int>> open_;
  std::uint64_t last_reconcile_;
  std::uint64_t last_line_;
  Instant next_{};
  Instant next_controllers_{};
};

}  // namespace pintle
