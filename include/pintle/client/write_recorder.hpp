// SPDX-License-Identifier: Apache-2.0
// WriteRecorder: a transport that sends no write, records what each one would change, and shows the results to later
// reads.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <pintle/base/annotations.hpp>
#include <pintle/base/mutex.hpp>
#include <pintle/client/recorded_write.hpp>
#include <pintle/http/transport.hpp>
#include <pintle/json/value.hpp>

namespace pintle {

/// Sends reads to the server. The first write of an object is sent as a dry run (dryRun=All), so that the server
/// validates and defaults it; its result is recorded and returned. Later reads and lists return this result instead of
/// the object on the server, with a resourceVersion above all versions of the server. Further writes of the object are
/// applied to that result in this process; a list in an apply or a strategic merge patch then replaces the whole list.
/// An object that is created after its recorded deletion is shown as it was sent, without the defaults of the server.
///
/// Not recorded: writes that the server rejects, Events, and reviews of access and tokens, which change nothing. A
/// watch delivers only the changes of other clients. Error: unsupported for a write that has no dry run, as in
/// dry_run_writes(). Thread-safe.
class PINTLE_EXPORT WriteRecorder final : public http::ForwardingTransport {
 public:
  explicit WriteRecorder(std::shared_ptr<http::Transport> inner);

  ExchangeId start(http::Request request, std::shared_ptr<http::ExchangeHandler> handler) override;
  void cancel(ExchangeId exchange) override;
  [[nodiscard]] std::shared_ptr<http::Transport> for_credentials() override { return inner_for_credentials(); }

  /// The writes so far, in their order.
  [[nodiscard]] std::vector<RecordedWrite> writes() const;

 private:
  struct Write;
  class Exchange;
  class Exchanges;

  void read(http::Request request, const std::shared_ptr<Exchange>& exchange);
  void perform_write(http::Request request, const std::shared_ptr<Exchange>& exchange);
  void send(const std::shared_ptr<Exchange>& exchange, http::Request request,
            std::shared_ptr<http::ExchangeHandler> receiver);
  [[nodiscard]] http::BufferedResponse write_again(const http::Request& request, Write write, const json::Value& known);
  void send_dry_run(Write write, http::Request request, const std::shared_ptr<Exchange>& exchange);
  [[nodiscard]] http::BufferedResponse create_again(Write write, http::BufferedResponse refused);
  [[nodiscard]] http::BufferedResponse record(Write write, http::BufferedResponse response);
  void store(Write write, json::Value after);

  const std::shared_ptr<Exchanges> exchanges_;
  mutable Mutex mutex_;
  std::vector<RecordedWrite> writes_ PINTLE_GUARDED_BY(mutex_);
  // The objects that were written, by path; null: deleted.
  std::map<std::string, json::Value, std::less<>> objects_ PINTLE_GUARDED_BY(mutex_);
  std::uint64_t version_ PINTLE_GUARDED_BY(mutex_);  // of the last result
};

}  // namespace pintle
