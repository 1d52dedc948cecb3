// SPDX-License-Identifier: Apache-2.0
#include "kubeconfig_entry_reader.hpp"

#include <utility>

#include <pintle/object/bytes.hpp>

#include "files.hpp"

namespace pintle {

bool EntryReader::has(std::string_view field) const {
  const json::Value* value = entry_.body.if_contains(field);
  return value != nullptr && !value->is_null();
}

std::string EntryReader::text(std::string_view field) {
  if (!has(field)) return {};
  const json::Value& value = entry_.body.at(field);
  if (value.is_string()) return std::string(value.get_string());
  error(std::string(field) + " must be a string; put it in quotes");
  return {};
}

bool EntryReader::flag(std::string_view field) {
  if (!has(field)) return false;
  const json::Value& value = entry_.body.at(field);
  if (value.is_bool()) return value.get_bool();
  error(std::string(field) + " must be true or false");
  return false;
}

json::array EntryReader::array(std::string_view field) {
  if (!has(field)) return {};
  const json::Value& value = entry_.body.at(field);
  if (value.is_array()) return value.get_array();
  error(std::string(field) + " must be a list");
  return {};
}

std::vector<std::string> EntryReader::texts(std::string_view field) {
  std::vector<std::string> texts;
  for (const json::Value& value : array(field)) {
    if (!value.is_string()) error(std::string(field) + " must be a list of strings; put them in quotes");
    if (value.is_string()) texts.emplace_back(value.get_string());
  }
  return texts;
}

json::object EntryReader::object(std::string_view field) {
  if (!has(field)) return {};
  const json::Value& value = entry_.body.at(field);
  if (value.is_object()) return value.get_object();
  error(std::string(field) + " must be an object");
  return {};
}

KubeconfigEntry EntryReader::nested(std::string_view field) {
  return {.name = entry_.name, .body = object(field), .file = entry_.file, .may_name_files = entry_.may_name_files};
}

std::string EntryReader::path(std::string_view field) {
  const std::string path = text(field);
  if (path.empty()) return {};
  if (entry_.may_name_files) return beside(entry_.file, path);
  error(std::string(field) +
        " names a file, which is only allowed in a kubeconfig file; embed the content of the file");
  return {};
}

EntryReader::Pem EntryReader::pem(std::string_view field) {
  const std::string data_field = std::string(field) + "-data";
  if (const std::string data = text(data_field); !data.empty()) {
    auto decoded = Bytes::from_base64(data);
    if (!decoded) error(data_field + " is not base64; it must contain a PEM file in base64");
    if (decoded && decoded->data.empty()) error(data_field + " is empty; it must contain a PEM file in base64");
    return {.name = data_field, .text = decoded ? std::move(decoded->data) : std::string()};
  }
  const std::string file = path(field);
  if (file.empty()) return {};
  auto read = read_file(file);
  if (!read) error(std::string(field) + ": " + read.error().message);
  if (read && read->empty()) error(std::string(field) + ": " + file + " is empty; specify a PEM file");
  return {.name = std::string(field) + " " + file, .text = std::move(read).value_or(""), .file = file};
}

void EntryReader::error(std::string what) { note(ErrorCode::invalid, std::move(what)); }

void EntryReader::note_unsupported(std::string what) { note(ErrorCode::unsupported, std::move(what)); }

void EntryReader::note(ErrorCode code, std::string what) {
  if (fault_) return;
  fault_ = make_error(code, "kubeconfig " + entry_.file + ": " + what_ + " \"" + entry_.name + "\": " + what);
}

void EntryReader::adopt(const EntryReader& nested) {
  if (!fault_) fault_ = nested.fault_;
}

Result<void> EntryReader::result() const {
  if (fault_) return *fault_;
  return {};
}

}  // namespace pintle
