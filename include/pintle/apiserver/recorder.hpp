// SPDX-License-Identifier: Apache-2.0
// Recorder: records the requests to an API server and its responses as a scenario, which can be replayed as a test.
#pragma once

#include <memory>
#include <string>

#include <pintle/base/annotations.hpp>
#include <pintle/base/executor.hpp>
#include <pintle/base/result.hpp>
#include <pintle/http/handler.hpp>

namespace pintle {

namespace apiserver::internal {
class RecordingSession;
}

/// Passes requests to another handler and writes each exchange about a resource as one step of a scenario: a JSON file
/// in the format of tests/data/conformance/replay.py. Discovery, health and OpenAPI requests are not recorded. The file
/// is complete after each step.
///
/// Values that the server generates become placeholders: uids, versions, generated names, times, and messages of
/// errors. Where a later request contains such a value, the scenario refers to the response in which the client
/// received it. A watch is recorded when it begins, and its events when it ends. Credentials are never recorded.
///
/// Requests are passed on as JSON, and responses are requested as JSON and uncompressed. A body in protobuf that cannot
/// be converted is passed on as it is, and its request is not recorded. Tables are recorded without their cells, which
/// contain ages. A value that a client has received only in an event of a watch remains literal, so a replay may differ
/// there. A request whose connection is closed without a response (status 0) is not recorded. Thread-safe.
class PINTLE_EXPORT Recorder final : public http::Handler {
 public:
  /// Creates or replaces the file. `executor` and `handler` must outlive the recorder and its responses. Error:
  /// invalid, with the path, if the file cannot be written.
  [[nodiscard]] static Result<std::unique_ptr<Recorder>> open(Executor& executor, http::Handler& handler,
                                                              const std::string& path);
  ~Recorder() override;
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  [[nodiscard]] http::Response handle(const http::Request& request) override;

  /// Records the events of the watches that are still open. Later exchanges are not recorded. Idempotent. Error: a step
  /// could not be written; the message contains the path.
  [[nodiscard]] Result<void> finish();

 private:
  explicit Recorder(std::shared_ptr<apiserver::internal::RecordingSession> session) noexcept;
  const std::shared_ptr<apiserver::internal::RecordingSession> session_;
};

}  // namespace pintle
