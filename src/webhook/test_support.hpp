// SPDX-License-Identifier: Apache-2.0
// Support for tests of webhooks: kinds, requests for them, and a tracer.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <pintle/base/trace.hpp>
#include <pintle/object/versions.hpp>
#include <pintle/webhook/admission.hpp>

namespace pintle {

struct Greeting {
  static constexpr Type type{"example.com/v1", "Greeting"};
  struct Spec {
    std::string name{};
    int count = 1;
    static constexpr auto fields() { return pintle::fields(field("name", &Spec::name), field("count", &Spec::count)); }
  };
  Metadata metadata{};
  Spec spec{};
};

inline constexpr std::string_view greeting_text =
    R"({"apiVersion":"example.com/v1","kind":"Greeting","metadata":{"name":"a","namespace":"shop"},"spec":{"name":"you"}})";

// Returns the body of a review that creates a Greeting.
inline std::string greeting_review(const std::string& uid, std::string_view object = greeting_text) {
  return R"({"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","request":{"uid":")" + uid +
         R"(","operation":"CREATE","kind":{"group":"example.com","version":"v1","kind":"Greeting"},)" +
         R"("resource":{"group":"example.com","version":"v1","resource":"greetings"},"name":"a","namespace":"shop",)" +
         R"("object":)" + std::string(object) + "}}";
}

inline AdmissionRequest request_with(std::string_view object) {
  AdmissionRequest request;
  request.uid = "u-1";
  request.object = Object::parse(object).value();
  request.name = request.object.name();
  request.namespace_ = request.object.namespace_();
  return request;
}

// A kind with two versions. The old one has one text for the size, and no colour.
struct Door;
struct OldDoor {
  static constexpr Type type{"example.com/v1", "Door"};
  struct Spec {
    std::string size{};
    static constexpr auto fields() { return pintle::fields(field("size", &Spec::size)); }
  };
  Metadata metadata{};
  Spec spec{};
  inline void to(Door& stored) const;
  inline void from(const Door& stored);
};
struct Door {
  static constexpr Type type{"example.com/v2", "Door"};
  using versions = Versions<Door, OldDoor>;
  struct Spec {
    std::string dimensions{};
    std::string colour{};
    static constexpr auto fields() {
      return pintle::fields(field("dimensions", &Spec::dimensions), field("colour", &Spec::colour));
    }
  };
  Metadata metadata{};
  Spec spec{};
};
void OldDoor::to(Door& stored) const { stored.spec.dimensions = spec.size; }
void OldDoor::from(const Door& stored) { spec.size = stored.spec.dimensions; }

inline constexpr std::string_view door_crd = "doors.example.com";
inline constexpr std::string_view crds_path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

struct RecordedSpan {
  std::string name{};
  SpanKind kind{};
  SpanContext parent{};
  std::map<std::string, std::string> attributes{};
  std::string error{};
  bool has_ended = false;
};

// Keeps all spans. One thread at a time may use it.
class SpanRecorder final : public Tracer {
 public:
  std::unique_ptr<Span> start(StartSpanOptions start) override {
    spans.push_back(std::make_shared<RecordedSpan>(
        RecordedSpan{.name = std::move(start.name), .kind = start.kind, .parent = start.parent}));
    return std::make_unique<Recording>(spans.back());
  }

  std::vector<std::shared_ptr<RecordedSpan>> spans;

 private:
  class Recording final : public Span {
   public:
    explicit Recording(std::shared_ptr<RecordedSpan> span) : span_(std::move(span)) {}
    ~Recording() override { span_->has_ended = true; }
    [[nodiscard]] const SpanContext& context() const noexcept override { return context_; }
    void set_attribute(SpanAttribute one) override {
      const std::string* text = one.value.as_string();
      span_->attributes[one.name] = text != nullptr ? *text : std::to_string(*one.value.as_integer());
    }
    void add_event(std::string_view, std::vector<SpanAttribute>) override {}
    void set_error(std::string_view what) override { span_->error = what; }

   private:
    const std::shared_ptr<RecordedSpan> span_;
    const SpanContext context_{};
  };
};

}  // namespace pintle
