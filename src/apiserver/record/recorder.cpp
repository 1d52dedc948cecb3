// SPDX-License-Identifier: Apache-2.0
#include <pintle/apiserver/recorder.hpp>

#include <algorithm>
#include <optional>
#include <utility>

#include <pintle/apiserver/request_info.hpp>
#include <pintle/object/protobuf.hpp>

#include "http/names.hpp"
#include "session.hpp"

namespace pintle {
namespace {

using apiserver::RecordingSession;

// Returns the accepted types without protobuf: "application/json" if no other is left.
std::string without_protobuf(std::string_view accept) {
  std::string out;
  while (!accept.empty()) {
    const std::size_t comma = std::min(accept.find(','), accept.size());
    const std::string_view type = accept.substr(0, comma);
    if (type.find(protobuf_media_type) == std::string_view::npos) {
      if (!out.empty()) out += ',';
      out += type;
    }
    accept.remove_prefix(std::min(comma + 1, accept.size()));
  }
  return out.empty() ? "application/json" : out;
}

// Returns the request in a form whose exchange can be recorded; nothing if there is none.
std::optional<http::Request> readable(const http::Request& request) {
  http::Request out = request;
  http::Headers headers;
  for (const auto& [name, value] : request.headers) {
    if (!http::same_name(name, "Accept-Encoding")) headers.add(name, value);
  }
  if (const auto accept = request.headers.get("Accept")) headers.set("Accept", without_protobuf(*accept));
  if (request.headers.get("Content-Type").value_or("").starts_with(protobuf_media_type)) {
    const auto body = json::parse_protobuf(request.body, protobuf_types());
    if (!body) return std::nullopt;
    out.body = json::print(*body);
    headers.set("Content-Type", "application/json");
  }
  out.headers = std::move(headers);
  return out;
}

// Passes on the stream of a watch and records its lines.
class RecordedWatch final : public http::BodyStream {
 public:
  RecordedWatch(std::shared_ptr<RecordingSession> session, std::string name, std::unique_ptr<http::BodyStream> stream)
      : session_(std::move(session)), name_(std::move(name)), stream_(std::move(stream)) {}
  ~RecordedWatch() override { session_->end_watch(name_); }

  State read(std::string& out) override {
    const std::size_t before = out.size();
    const State state = stream_->read(out);
    line_.append(out, before);
    for (std::size_t end = line_.find('\n'); end != std::string::npos; end = line_.find('\n')) {
      if (auto event = json::parse(std::string_view(line_).substr(0, end))) {
        session_->add_event(name_, std::move(*event));
      }
      line_.erase(0, end + 1);
    }
    return state;
  }
  void on_ready(std::function<void()> wake) override { stream_->on_ready(std::move(wake)); }
  [[nodiscard]] Instant next_deadline() const override { return stream_->next_deadline(); }
  [[nodiscard]] bool is_document() const override { return stream_->is_document(); }
  [[nodiscard]] bool is_created_later() const override { return stream_->is_created_later(); }

 private:
  const std::shared_ptr<RecordingSession> session_;
  const std::string name_;
  const std::unique_ptr<http::BodyStream> stream_;
  std::string line_;
};

// Records a response when it exists.
http::Response recorded(const std::shared_ptr<RecordingSession>& session, const http::Request& request,
                        http::Response response) {
  if (response.deferred) {
    return {.deferred = [session, request,
                         deferred = std::move(response.deferred)] { return recorded(session, request, deferred()); },
            .flow = std::move(response.flow)};
  }
  if (response.delayed.make_response) {
    return {.delayed = {.delay = response.delayed.delay,
                        .make_response = [session, request, make = std::move(response.delayed.make_response)] {
                          return recorded(session, request, make());
                        }}};
  }
  if (response.stream != nullptr && !response.stream->is_document()) {
    std::string name = session->begin_watch(request);
    response.stream = std::make_unique<RecordedWatch>(session, std::move(name), std::move(response.stream));
    return response;
  }
  http::read_full_body(response);
  if (response.status != 0) session->add(request, response);
  return response;
}

}  // namespace

Recorder::Recorder(std::shared_ptr<RecordingSession> session) noexcept : session_(std::move(session)) {}

Recorder::~Recorder() { (void)finish(); }

Result<std::unique_ptr<Recorder>> Recorder::open(Executor& executor, http::Handler& handler, const std::string& path) {
  auto session = std::make_shared<RecordingSession>(executor, handler);
  if (auto opened = session->open(path); !opened) return fail(std::move(opened.error()));
  return std::unique_ptr<Recorder>(new Recorder(std::move(session)));
}

http::Response Recorder::handle(const http::Request& request) {
  const auto passed = request_info(request) ? readable(request) : std::nullopt;
  if (!passed) return session_->handler().handle(request);
  return recorded(session_, *passed, session_->handler().handle(*passed));
}

Result<void> Recorder::finish() { return session_->finish(); }

}  // namespace pintle
