// JSON as what a page answers.
#pragma once

#include <string>
#include <utility>

#include <pintle/http/handler.hpp>
#include <pintle/json/value.hpp>

namespace pintle {

inline http::Response json_page(int status, const json::Value& value) {
  return {.status = status, .headers = {{"Content-Type", "application/json"}}, .body = json::print(value) + "\n"};
}

inline http::Response json_fault(int status, std::string message) {
  return json_page(status, json::object{{"error", std::move(message)}});
}

}  // namespace pintle
