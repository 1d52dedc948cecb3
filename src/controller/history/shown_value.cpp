// SPDX-License-Identifier: Apache-2.0
#include "shown_value.hpp"

#include <charconv>
#include <cstddef>
#include <system_error>

#include <pintle/base/text.hpp>
#include <pintle/base/utf8.hpp>
#include <pintle/json/pointer.hpp>
#include <pintle/json/value.hpp>

#include "client/secret_data.hpp"
#include "secret_text.hpp"

namespace pintle {
namespace {

constexpr std::size_t max_size = 200;

// Returns whether the value is a list of references to objects, such as the `secrets` of a ServiceAccount.
bool is_list_of_names(json::View value) {
  if (!value.is_array()) return false;
  for (const json::View element : value.elements()) {
    if (!element.is_object() || element.size() != 1 || !element.member("name").is_string()) return false;
  }
  return true;
}

bool is_secret_member(std::string_view name, json::View value) {
  return is_secret_name(name) && !(to_lower_ascii(name).ends_with("secrets") && is_list_of_names(value));
}

// Returns whether an element is the value of the option before it, as in ["--password", "a"].
bool follows_secret_option(json::View list, std::size_t index) {
  if (index == 0) return false;
  const std::string_view option = list.element(index - 1).text();
  return option.starts_with('-') && is_secret_option(option, list.element(index).text());
}

// Prints a value until the text is long enough.
class Printer {
 public:
  [[nodiscard]] std::string print(json::View value, bool is_secret) {
    put(value, is_secret);
    if (out_.size() <= max_size) return std::move(out_);
    return std::string(truncate_utf8(out_, max_size)) + "…";
  }

 private:
  void put(json::View value, bool is_secret) {
    if (out_.size() > max_size) return;
    if (value.is_object()) {
      put_object(value, is_secret);
    } else if (value.is_array()) {
      out_ += '[';
      std::size_t index = 0;
      for (const json::View element : value.elements()) {
        if (index > 0) out_ += ',';
        put(element, is_secret || follows_secret_option(value, index));
        ++index;
      }
      out_ += ']';
    } else if (value.is_string() && (is_secret || contains_secret(value.text()))) {
      json::print_to(out_, hidden_text);
    } else {
      value.print_to(out_);
    }
  }

  void put_object(json::View value, bool is_secret) {
    const bool has_secret_name = is_secret_name(value.member("name").text());
    out_ += '{';
    const char* separator = "";
    for (const auto [name, member] : value.members()) {
      out_ += separator;
      json::print_to(out_, name);
      out_ += ':';
      put(member, is_secret || is_secret_member(name, member) || (name == "value" && has_secret_name));
      separator = ",";
    }
    out_ += '}';
  }

  std::string out_;
};

bool is_hidden_member(const Object& object, std::string_view top, std::string_view name, json::View inside) {
  std::size_t index = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), index);
  if (inside.is_array()) return error == std::errc() && follows_secret_option(inside, index);
  const bool is_secret = is_secret_kind(object.api_version(), object.kind());
  return (is_secret && (top == "data" || top == "stringData")) || is_secret_member(name, inside.member(name)) ||
         (name == "value" && is_secret_name(inside.member("name").text()));
}

}  // namespace

std::string shown_value(const Object& object, std::string_view pointer) {
  const auto names = json::split_pointer(pointer);
  if (!names) return {};
  json::View at = object.root();
  bool is_secret = false;
  for (const std::string& name : *names) {
    is_secret = is_secret || is_hidden_member(object, names->front(), name, at);
    at = at["/" + json::escape_token(name)];
  }
  return at.exists() ? Printer().print(at, is_secret) : std::string();
}

}  // namespace pintle
