// SPDX-License-Identifier: Apache-2.0
#include "noted_spans.hpp"

#include <algorithm>
#include <utility>

namespace pintle {
namespace {

class NotedSpan final : public Span {
 public:
  NotedSpan(const Clock& clock, std::string name, std::unique_ptr<Span> inner,
            std::shared_ptr<NotedSpans::Collected> into)
      : clock_(clock), begun_(clock.now()), inner_(std::move(inner)), into_(std::move(into)) {
    record_.name = std::move(name);
    record_.after = begun_ - into_->begun();
  }
  ~NotedSpan() override {
    record_.took = clock_.now() - begun_;
    into_->add(std::move(record_));
  }
  NotedSpan(const NotedSpan&) = delete;
  NotedSpan& operator=(const NotedSpan&) = delete;

  [[nodiscard]] const SpanContext& context() const noexcept override { return inner_->context(); }
  void set_attribute(SpanAttribute attribute) override { inner_->set_attribute(std::move(attribute)); }
  void add_event(std::string_view name, std::vector<SpanAttribute> attributes) override {
    inner_->add_event(name, std::move(attributes));
  }
  void set_error(std::string_view what) override {
    record_.error = what;
    inner_->set_error(what);
  }

 private:
  const Clock& clock_;
  const Instant begun_;
  const std::unique_ptr<Span> inner_;
  const std::shared_ptr<NotedSpans::Collected> into_;
  SpanRecord record_{};
};

}  // namespace

void NotedSpans::Collected::add(SpanRecord span) {
  const MutexLock lock(mutex_);
  if (spans_.size() == ReconcileRecord::max_spans) {
    ++dropped_;
  } else {
    spans_.push_back(std::move(span));
  }
}

void NotedSpans::Collected::move_to(ReconcileRecord& record) {
  const MutexLock lock(mutex_);
  std::stable_sort(spans_.begin(), spans_.end(), [](const auto& a, const auto& b) { return a.after < b.after; });
  record.spans = std::move(spans_);
  record.spans_dropped = dropped_;
}

std::unique_ptr<Span> NotedSpans::start(StartSpanOptions start) {
  Collector* const into = collectors_.get();
  std::string name = into == nullptr ? std::string() : start.name;
  std::unique_ptr<Span> inner = inner_ == nullptr ? std::make_unique<NoopSpan>() : inner_->start(std::move(start));
  if (into == nullptr) return inner;
  return std::make_unique<NotedSpan>(executor_, std::move(name), std::move(inner), *into);
}

}  // namespace pintle
