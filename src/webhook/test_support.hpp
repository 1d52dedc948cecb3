// Support for tests of webhooks: a kind, and requests for it.
#pragma once

#include <string>
#include <string_view>

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

}  // namespace pintle
