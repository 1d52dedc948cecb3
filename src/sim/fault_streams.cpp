// SPDX-License-Identifier: Apache-2.0
#include "fault_streams.hpp"

#include <algorithm>
#include <utility>

#include <pintle/sim/event_ends.hpp>

namespace pintle::http {
namespace {

class TextStream final : public BodyStream {
 public:
  explicit TextStream(std::string text) : text_(std::move(text)) {}

  State read(std::string& out) override {
    out += std::exchange(text_, {});
    return State::ended;
  }
  void on_ready(std::function<void()> /*wake*/) override {}
  [[nodiscard]] bool is_document() const override { return true; }

 private:
  std::string text_;
};

// Returns the state to report with data that was held back after the inner stream had returned `state`. If that was
// `waiting`, the inner stream may already have woken the reader, which then read the held data instead. So the reader
// must read again.
BodyStream::State state_to_report(BodyStream::State state) {
  return state == BodyStream::State::waiting ? BodyStream::State::more : state;
}

class PassingStream : public BodyStream {
 public:
  explicit PassingStream(BodyStreamPtr inner) : inner_(std::move(inner)) {}

  void on_ready(std::function<void()> wake) override { inner_->on_ready(std::move(wake)); }
  [[nodiscard]] Instant next_deadline() const override { return inner_->next_deadline(); }
  [[nodiscard]] bool is_document() const override { return inner_->is_document(); }

 protected:
  State read_inner(std::string& out) { return inner_->read(out); }

 private:
  const BodyStreamPtr inner_;
};

class RepeatingStream final : public PassingStream {
 public:
  RepeatingStream(BodyStreamPtr inner, const RepeatEvent& repeat) : PassingStream(std::move(inner)), repeat_(repeat) {}

  State read(std::string& out) override {
    std::string piece;
    const State state = read_inner(piece);
    for (const char c : piece) take(c, out);
    return state;
  }

 private:
  void take(char c, std::string& out) {
    out += c;
    line_ += c;
    if (!ends_.take(c)) return;
    if (++lines_ == repeat_.nth || repeat_.nth == 0) out += line_;
    line_.clear();
  }

  const RepeatEvent repeat_;
  EventEnds ends_;
  std::string line_;  // the part of the current event that has arrived
  std::uint64_t lines_ = 0;
};

// Does not read from the inner stream while it holds data back, so it holds the data of one read at most.
class StallingStream final : public PassingStream {
 public:
  StallingStream(BodyStreamPtr inner, const StallEvents& stall, const Clock& clock)
      : PassingStream(std::move(inner)), stall_(stall), clock_(clock) {}

  State read(std::string& out) override {
    if (is_over_) return read_inner(out);
    if (until_ == Instant::max()) {
      state_ = read_inner(held_);
      deliver_lines_before(out);
      if (held_.empty()) return state_;
      until_ = after(clock_.now(), stall_.duration);
    }
    if (clock_.now() < until_) return State::waiting;
    is_over_ = true;
    out += std::exchange(held_, {});
    return state_to_report(state_);
  }
  [[nodiscard]] Instant next_deadline() const override {
    return is_over_ || until_ == Instant::max() ? PassingStream::next_deadline() : until_;
  }

 private:
  void deliver_lines_before(std::string& out) {
    std::size_t delivered = 0;
    for (; delivered < held_.size() && lines_ + 1 < stall_.nth; ++delivered)
      lines_ += ends_.take(held_[delivered]) ? 1 : 0;
    out.append(held_, 0, delivered);
    held_.erase(0, delivered);
  }

  const StallEvents stall_;
  const Clock& clock_;
  std::string held_;
  State state_ = State::waiting;  // of the inner stream when the data was held back
  EventEnds ends_;
  std::uint64_t lines_ = 0;
  Instant until_ = Instant::max();
  bool is_over_ = false;
};

class CuttingStream final : public PassingStream {
 public:
  CuttingStream(BodyStreamPtr inner, const TruncateBody& cut, const Clock& clock)
      : PassingStream(std::move(inner)), cut_(cut), clock_(clock), at_(after(clock.now(), cut.after)) {}

  State read(std::string& out) override {
    if (is_cut_ || clock_.now() >= at_) return cut_now();
    std::string piece;
    const State state = read_inner(piece);
    const std::size_t let_through = measure(piece);
    out.append(piece, 0, let_through);
    return bytes_ == cut_.after_bytes || lines_ == cut_.after_events ? cut_now() : state;
  }
  [[nodiscard]] Instant next_deadline() const override {
    return is_cut_ ? Instant::max() : std::min(at_, PassingStream::next_deadline());
  }

 private:
  // Returns the number of bytes of the piece before the cut.
  std::size_t measure(std::string_view piece) {
    std::size_t delivered = 0;
    while (delivered < piece.size() && bytes_ < cut_.after_bytes && lines_ < cut_.after_events) {
      ++bytes_;
      lines_ += ends_.take(piece[delivered++]) ? 1 : 0;
    }
    return delivered;
  }

  State cut_now() {
    is_cut_ = true;
    switch (cut_.how) {
      case TruncateBody::How::reset: return State::broken;
      case TruncateBody::How::end: return State::ended;
      case TruncateBody::How::silence: break;
    }
    return State::waiting;
  }

  const TruncateBody cut_;
  const Clock& clock_;
  const Instant at_;
  EventEnds ends_;
  std::uint64_t bytes_ = 0;
  std::uint64_t lines_ = 0;
  bool is_cut_ = false;
};

// Holds the data of one read at most, as StallingStream does.
class SplittingStream final : public PassingStream {
 public:
  SplittingStream(BodyStreamPtr inner, const SplitBody& split) : PassingStream(std::move(inner)), split_(split) {}

  State read(std::string& out) override {
    const bool is_fresh = held_.empty();
    if (is_fresh) state_ = read_inner(held_);
    const std::size_t piece = std::min(held_.size(), std::max<std::size_t>(split_.bytes, 1));
    out.append(held_, 0, piece);
    held_.erase(0, piece);
    if (!held_.empty()) return State::more;
    return is_fresh ? state_ : state_to_report(state_);
  }

 private:
  const SplitBody split_;
  std::string held_;
  State state_ = State::waiting;
};

}  // namespace

BodyStreamPtr stream_of(std::string body) { return std::make_unique<TextStream>(std::move(body)); }

BodyStreamPtr repeating(BodyStreamPtr inner, const RepeatEvent& repeat) {
  return std::make_unique<RepeatingStream>(std::move(inner), repeat);
}

BodyStreamPtr stalling(BodyStreamPtr inner, const StallEvents& stall, const Clock& clock) {
  return std::make_unique<StallingStream>(std::move(inner), stall, clock);
}

BodyStreamPtr cutting(BodyStreamPtr inner, const TruncateBody& cut, const Clock& clock) {
  return std::make_unique<CuttingStream>(std::move(inner), cut, clock);
}

BodyStreamPtr splitting(BodyStreamPtr inner, const SplitBody& split) {
  return std::make_unique<SplittingStream>(std::move(inner), split);
}

}  // namespace pintle::http
