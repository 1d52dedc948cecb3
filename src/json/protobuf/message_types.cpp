// SPDX-License-Identifier: Apache-2.0
#include <pintle/json/message_types.hpp>

#include <algorithm>
#include <charconv>
#include <string>
#include <utility>

namespace pintle::json {
namespace {

using Form = MessageTypes::Form;

// Returns the text before the separator and removes both.
std::string_view take(std::string_view& text, char separator) {
  const std::size_t end = std::min(text.find(separator), text.size());
  const std::string_view part = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return part;
}

constexpr std::pair<std::string_view, Form> forms[] = {{"string", Form::string},
                                                       {"int", Form::integer},
                                                       {"bool", Form::boolean},
                                                       {"bytes", Form::bytes},
                                                       {"double", Form::real},
                                                       {"time", Form::time},
                                                       {"microtime", Form::micro_time},
                                                       {"quantity", Form::quantity},
                                                       {"int-or-string", Form::int_or_string},
                                                       {"json", Form::json},
                                                       {"list", Form::texts}};

}  // namespace

MessageTypes::MessageTypes(std::span<const MessageFacts> facts, std::span<const MessagePackage> packages)
    : packages_(packages) {
  std::size_t lines = 0;
  for (const MessageFacts& one : facts) {
    // "core.v1.PersistentVolumeClaim"
    std::string_view rest = one.name;
    take(rest, '.');
    messages_[one.name] = {.name = one.name, .api_version = take(rest, '.'), .kind = rest, .fields = {}};
    lines += 1 + static_cast<std::size_t>(std::ranges::count(one.fields, '\n'));
  }
  fields_.reserve(lines);  // the messages refer to them
  for (const MessageFacts& one : facts) {
    const std::size_t first = fields_.size();
    for (std::string_view rest = one.fields; !rest.empty();) {
      std::string_view line = take(rest, '\n');
      Field field;
      const std::string_view digits = take(line, ' ');
      std::from_chars(digits.data(), digits.data() + digits.size(), field.number);
      field.name = take(line, ' ');
      std::string_view type = take(line, ' ');
      while (!line.empty()) {
        const std::string_view mark = take(line, ' ');
        field.omits_empty = field.omits_empty || mark == "omit";
        field.is_null_if_absent = field.is_null_if_absent || mark == "null";
        field.has_kind = field.has_kind || mark == "kind";
        if (mark == "union") field.form = Form::union_;
      }
      field.is_inline = field.name == "-";
      field.is_list = type.starts_with("[]");
      field.is_map = type.starts_with("{}");
      if (field.is_list || field.is_map) type.remove_prefix(2);
      const auto* const form = std::ranges::find(forms, type, &std::pair<std::string_view, Form>::first);
      if (form != std::end(forms)) {
        field.form = form->second;
      } else if ((field.message = find(type)) == nullptr) {
        continue;
      }
      fields_.push_back(field);
    }
    messages_[one.name].fields = std::span<const Field>(fields_).subspan(first);
  }
}

MessageTypes::~MessageTypes() = default;

const MessageTypes::Message* MessageTypes::find(std::string_view name) const noexcept {
  const auto found = messages_.find(name);
  return found == messages_.end() ? nullptr : &found->second;
}

const MessageTypes::Message* MessageTypes::find_kind(std::string_view api_version, std::string_view kind) const {
  const auto named = [&](std::string_view package, std::string_view version) {
    return find(std::string(package).append(".").append(version).append(".").append(kind));
  };
  // All groups share these kinds.
  if (kind == "Status" || kind == "DeleteOptions" || kind == "PartialObjectMetadata") return named("meta", "v1");
  const std::size_t slash = api_version.find('/');
  const bool is_core = slash == std::string_view::npos;
  const std::string_view group = is_core ? std::string_view() : api_version.substr(0, slash);
  const auto package = std::ranges::find(packages_, group, &MessagePackage::group);
  if (package == packages_.end()) return nullptr;
  return named(package->package, is_core ? api_version : api_version.substr(slash + 1));
}

}  // namespace pintle::json
