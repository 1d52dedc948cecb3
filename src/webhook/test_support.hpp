// Support for tests of webhooks: kinds, requests for them, and a server that stores conversions.
#pragma once

#include <atomic>
#include <string>
#include <string_view>
#include <utility>

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

}  // namespace pintle
