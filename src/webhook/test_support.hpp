// Support for tests of webhooks: kinds, requests for them, a server that stores conversions, and a tracer.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <pintle/base/trace.hpp>
#include <pintle/http/handler.hpp>
#include <pintle/json/patch.hpp>
#include <pintle/json/pointer.hpp>
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

// Stores CRDs with a conversion webhook in a server that refuses them: the conversion is in an annotation there.
class StoresConversions final : public http::Handler {
 public:
  explicit StoresConversions(http::Handler& server) : server_(server) {}

  http::Response handle(const http::Request& request) override {
    const bool is_watch = request.target.find("watch=") != std::string::npos;
    if (!request.target.starts_with(crds_path) || is_watch) return server_.handle(request);
    if (request.method == "POST") ++creations_;
    http::Request plain = request;
    plain.headers.set("Accept", "application/json");
    if (request.method == "PATCH") {
      http::Request get = plain;
      get.method = "GET";
      get.body.clear();
      json::Value object = json::parse(handle(get).body).value();
      const json::Value operations = json::parse(request.body).value();
      const auto patched = json::apply_patch(object, operations.as_array());
      if (!patched) return {.status = 422, .body = R"({"kind":"Status","reason":"Invalid","code":422})"};
      plain.method = "PUT";
      plain.headers.set("Content-Type", "application/json");
      plain.body = json::print(object);
    }
    if (!plain.body.empty() && plain.method != "DELETE") plain.body = hidden(plain.body);
    http::Response response = server_.handle(plain);
    if (response.stream != nullptr) {
      while (response.stream->read(response.body) == http::BodyStream::State::more) {}
      response.stream.reset();
    }
    response.body = shown(response.body);
    return response;
  }

  [[nodiscard]] int creations() const { return creations_; }

 private:
  static constexpr const char* annotation = "/metadata/annotations/test~1conversion";

  static std::string hidden(const std::string& body) {
    json::Value object = json::parse(body).value();
    const json::Value* conversion = json::find(object, "/spec/conversion");
    if (conversion == nullptr) return body;
    const std::string text = json::print(*conversion);
    if (json::find(object, "/metadata/annotations") == nullptr) {
      (void)!json::set(object, "/metadata/annotations", json::object{});
    }
    (void)!json::set(object, annotation, json::Value(text));
    json::erase(object, "/spec/conversion");
    return json::print(object);
  }
  static std::string shown(const std::string& body) {
    auto object = json::parse(body);
    if (!object) return body;
    const json::Value* conversion = json::find(*object, annotation);
    if (conversion == nullptr) return body;
    const json::Value parsed = json::parse(conversion->get_string()).value();
    (void)!json::set(*object, "/spec/conversion", parsed);
    json::erase(*object, annotation);
    return json::print(*object);
  }

  http::Handler& server_;
  std::atomic<int> creations_ = 0;
};

struct SpanRecord {
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
    spans.push_back(std::make_shared<SpanRecord>(
        SpanRecord{.name = std::move(start.name), .kind = start.kind, .parent = start.parent}));
    return std::make_unique<Recording>(spans.back());
  }

  std::vector<std::shared_ptr<SpanRecord>> spans;

 private:
  class Recording final : public Span {
   public:
    explicit Recording(std::shared_ptr<SpanRecord> span) : span_(std::move(span)) {}
    ~Recording() override { span_->has_ended = true; }
    [[nodiscard]] const SpanContext& context() const noexcept override { return context_; }
    void set_attribute(SpanAttribute one) override {
      const std::string* text = one.value.as_string();
      span_->attributes[one.name] = text != nullptr ? *text : std::to_string(*one.value.as_integer());
    }
    void add_event(std::string_view, std::vector<SpanAttribute>) override {}
    void set_error(std::string_view what) override { span_->error = what; }

   private:
    const std::shared_ptr<SpanRecord> span_;
    const SpanContext context_{};
  };
};

}  // namespace pintle
