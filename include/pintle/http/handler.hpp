// The server side of an exchange: a Handler turns a Request into a Response, at once or as a stream.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>

#include <pintle/http/message.hpp>

namespace pintle::http {

// A body that is made while it is read (a watch, a large list). Pulled by one reader, so a slow peer holds no buffer of
// ours: the stream keeps its own place and decides when it has fallen too far behind. Destroyed when the peer is gone.
class BodyStream {
 public:
  enum class State {
    more,
    waiting,
    ended,
    broken,  // there is no more, and the reader is to know that this is not the end: the connection is closed
  };

  virtual ~BodyStream() = default;
  // Appends what there is now, about 64 KiB at most, or one piece that is larger. Never blocks. One reader at a time.
  [[nodiscard]] virtual State read(std::string& out) = 0;
  // `wake` is called, from any thread and perhaps for nothing, when a stream that was waiting may have more. Set once
  // before the first read; never called after the stream's destruction has returned.
  virtual void on_ready(std::function<void()> wake) = 0;
  // A waiting stream wants to be read again at this time even if not woken; Instant::max() for never.
  [[nodiscard]] virtual Instant next_deadline() const { return Instant::max(); }
  // Whether it is one document, of which a part is worth nothing, and which never waits: it is treated as a body in one
  // piece would be. Otherwise each line is something by itself, and the end may come after any of them.
  [[nodiscard]] virtual bool is_document() const { return false; }
};

// Answers that may wait for one of the threads of Response::later, of each rank.
inline constexpr std::size_t max_waiting_answers = 1024;

struct Response {
  int status = 200;  // 0: no answer; the connection is closed
  Headers headers{};
  std::string body{};                    // the whole body, unless
  std::unique_ptr<BodyStream> stream{};  // it is a stream
  // Instead of all this: makes the answer, on a thread that may wait, such as for a client's call. It must come to an
  // end by itself and answers without a `later` of its own. There are few such threads. Those that wait for one stand
  // in lines, which take turns; one line that has a name never has all the threads. max_waiting_answers may wait with
  // `goes_first` and as many without; one more is answered with 503 and Retry-After, or has the place of the last one
  // of the longest line if its own line stays shorter.
  std::function<Response()> later{};
  struct Line {
    std::string name{};       // empty: the address of the peer
    bool goes_first = false;  // before lines without this, which still get every fourth turn
  };
  Line line{};  // of `later`
  // Instead of all this: the answer is what `then` makes when this time has passed, where handle() is called and with
  // no thread waiting for it. Of a peer that is gone by then it may or may not be called.
  struct Delayed {
    Duration by{};
    std::function<Response()> then{};
  };
  Delayed delayed{};
};

// Reads a stream that is a document into the body, for those who ask a Handler by themselves: one that breaks off
// leaves no answer, status 0. Leaves another stream as it is.
void collect_body(Response& response);

// Answers requests. Called from any thread, also at once from several; must not wait for long: see Response::later.
class Handler {
 public:
  virtual ~Handler() = default;
  [[nodiscard]] virtual Response handle(const Request& request) = 0;
};

}  // namespace pintle::http
