// SPDX-License-Identifier: Apache-2.0
#include "secret_data.hpp"

#include <string>
#include <vector>

#include <pintle/base/result.hpp>
#include <pintle/json/document.hpp>

namespace pintle {
namespace {

constexpr std::size_t shortest = 3;  // a shorter text is in many messages

void collect(json::View value, std::vector<std::string>& texts) {
  if (value.is_string() && value.text().size() >= shortest) texts.emplace_back(value.text());
  for (const json::View element : value.elements()) collect(element, texts);
  for (const auto [name, member] : value.members()) collect(member, texts);
}

void hide(std::string& text, const std::vector<std::string>& hidden) {
  constexpr std::string_view instead = "…";
  for (const std::string& one : hidden) {
    for (auto at = text.find(one); at != std::string::npos; at = text.find(one, at + instead.size())) {
      text.replace(at, one.size(), instead);
    }
  }
}

}  // namespace

void hide_secret_data(Error& error, std::string_view body) {
  const auto document = json::Document::parse(body);
  if (!document) return;
  std::vector<std::string> hidden;
  for (const char* member : {"data", "stringData"}) collect(document->root().member(member), hidden);
  for (const json::View operation : document->root().elements()) collect(operation.member("value"), hidden);
  hide(error.message, hidden);
  for (StatusCause& cause : error.causes) hide(cause.message, hidden);
}

}  // namespace pintle
