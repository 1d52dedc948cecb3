// SPDX-License-Identifier: Apache-2.0
#include "json_patch.hpp"

#include <charconv>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include <pintle/json/pointer.hpp>

#include "apiserver/registry/values.hpp"
#include "json/edit/extent.hpp"

namespace pintle::apiserver {
namespace {

using json::Value;

template <typename... Args>
tl::unexpected<Error> patch_failure(fmt::format_string<Args...> format, Args&&... args) {
  return fail(ErrorCode::invalid, fmt::format(format, std::forward<Args>(args)...));
}

tl::unexpected<Error> failed_test(std::string_view path) {
  Error error = make_error(ErrorCode::invalid, fmt::format("testing value {} failed: test failed", path));
  error.reason = "test_failed";
  return fail(std::move(error));
}

// A member of an object, or an element of a list, that may be missing. Other values have no parts.
class PatchPlace {
 public:
  PatchPlace(Value& root, std::string_view path) {
    const std::size_t first = path.find('/');
    if (first == std::string_view::npos) return;
    pointer_ = path.substr(first);
    const std::size_t last = pointer_.rfind('/');
    parent_ = json::find(root, pointer_.substr(0, last));
    key_ = json::unescape_token(pointer_.substr(last + 1));
  }

  [[nodiscard]] bool has_parent() const noexcept {
    return parent_ != nullptr && (parent_->is_object() || parent_->is_array());
  }
  [[nodiscard]] const std::string& key() const noexcept { return key_; }

  // Returns null for a missing member.
  [[nodiscard]] Result<Value*> get() const {
    if (auto* members = parent_->if_object()) return members->if_contains(key_);
    json::array& elements = parent_->get_array();
    const auto index = index_in(elements.size());
    if (!index) return fail(index.error());
    if (*index == elements.size()) return invalid_index(*index);
    return &elements[*index];
  }

  [[nodiscard]] Result<void> add(Value value) const {
    if (!json::is_shallow(pointer_, value)) return too_deep();
    if (auto* members = parent_->if_object()) {
      (*members)[key_] = std::move(value);
      return {};
    }
    json::array& elements = parent_->get_array();
    if (key_ == "-") {
      elements.push_back(std::move(value));
      return {};
    }
    if (!number()) return patch_failure("value was not a proper array index: '{}': {}", key_, not_a_number());
    const auto index = index_in(elements.size(), 1);
    if (!index) return fail(index.error());
    elements.insert(elements.begin() + static_cast<std::ptrdiff_t>(*index), std::move(value));
    return {};
  }

  [[nodiscard]] Result<void> set(Value value) const {
    if (!json::is_shallow(pointer_, value)) return too_deep();
    if (auto* members = parent_->if_object()) {
      (*members)[key_] = std::move(value);
      return {};
    }
    const auto place = get();
    if (!place) return fail(place.error());
    **place = std::move(value);
    return {};
  }

  [[nodiscard]] Result<void> remove() const {
    if (auto* members = parent_->if_object()) {
      const auto found = members->find(key_);
      if (found == members->end()) return patch_failure("Unable to remove nonexistent key: {}: missing value", key_);
      members->stable_erase(found);
      return {};
    }
    const auto place = get();
    if (!place) return fail(place.error());
    json::array& elements = parent_->get_array();
    elements.erase(elements.begin() + (*place - elements.data()));
    return {};
  }

 private:
  static tl::unexpected<Error> too_deep() {
    return patch_failure("the result would be nested deeper than {} levels", json::max_depth);
  }
  static tl::unexpected<Error> invalid_index(std::ptrdiff_t index) {
    return patch_failure("Unable to access invalid index: {}: invalid index referenced", index);
  }
  static tl::unexpected<Error> invalid_index(std::size_t index) {
    return invalid_index(static_cast<std::ptrdiff_t>(index));
  }
  [[nodiscard]] std::string not_a_number() const {
    return fmt::format("strconv.Atoi: parsing \"{}\": invalid syntax", key_);
  }

  [[nodiscard]] std::optional<std::ptrdiff_t> number() const {
    std::ptrdiff_t out = 0;
    const std::string_view digits = std::string_view(key_).substr(key_.starts_with('+') ? 1 : 0);
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), out);
    if (error != std::errc{} || end != digits.data() + digits.size()) return std::nullopt;
    return out;
  }

  // Returns an index from 0 to `size`. `extra`: the number of elements that are about to be added.
  [[nodiscard]] Result<std::size_t> index_in(std::size_t size, std::size_t extra = 0) const {
    const auto given = number();
    if (!given) return patch_failure("{}", not_a_number());
    const auto places = static_cast<std::ptrdiff_t>(size + extra);
    const std::ptrdiff_t index = *given < 0 ? *given + places : *given;
    if (index < 0 || index >= places) return invalid_index(*given);
    return static_cast<std::size_t>(index);
  }

  std::string_view pointer_{};
  Value* parent_ = nullptr;
  std::string key_{};
};

const Value* patch_text(const Value& operation, std::string_view name) {
  const Value* text = member(operation, name);
  return text != nullptr && text->is_string() ? text : nullptr;
}

class PatchRun {
 public:
  explicit PatchRun(Value& object) : object_(object) {}

  Result<void> apply(const Value& operation) {
    const Value* op = patch_text(operation, "op");
    const std::string_view kind = op == nullptr ? std::string_view("unknown") : std::string_view(op->get_string());
    const bool is_known =
        kind == "add" || kind == "remove" || kind == "replace" || kind == "test" || kind == "move" || kind == "copy";
    if (!is_known) return patch_failure("Unexpected kind: {}", kind);
    if (kind == "move" || kind == "copy") return transfer(operation, kind == "move");
    const Value* path = patch_text(operation, "path");
    if (path == nullptr) return undecodable(kind);
    const Value* given = member(operation, "value");
    const Value value = given == nullptr ? Value() : *given;
    if (kind == "add") return add(path->get_string(), value);
    if (kind == "remove") return remove(path->get_string());
    if (kind == "replace") return replace(path->get_string(), value);
    return test(path->get_string(), value);
  }

 private:
  static tl::unexpected<Error> undecodable(std::string_view kind) {
    const bool is_short = kind == "add" || kind == "remove" || kind == "copy";
    return patch_failure("{} operation failed to decode path: {}missing value", kind,
                         is_short ? "" : "operation missing path field: ");
  }
  static Result<void> in(std::string_view where, std::string_view path, Result<void> done) {
    return done ? done : patch_failure("error in {}: '{}': {}", where, path, done.error().message);
  }

  Result<void> add(std::string_view path, const Value& value) const {
    const PatchPlace place(object_, path);
    if (!place.has_parent()) {
      return patch_failure("add operation does not apply: doc is missing path: \"{}\": missing value", path);
    }
    return in("add for path", path, place.add(value));
  }

  Result<void> remove(std::string_view path) const {
    const PatchPlace place(object_, path);
    if (!place.has_parent()) {
      return patch_failure("remove operation does not apply: doc is missing path: \"{}\": missing value", path);
    }
    return in("remove for path", path, place.remove());
  }

  Result<void> replace(std::string_view path, const Value& value) const {
    if (path.empty()) {
      if (!json::is_shallow("", value)) return patch_failure("the value is nested too deeply");
      if (value.is_object() || value.is_array()) object_ = value;
      return {};
    }
    const PatchPlace place(object_, path);
    if (!place.has_parent()) {
      return patch_failure("replace operation does not apply: doc is missing path: {}: missing value", path);
    }
    if (!place.get())
      return patch_failure("replace operation does not apply: doc is missing key: {}: missing value", path);
    return in("remove for path", path, place.set(value));
  }

  Result<void> test(std::string_view path, const Value& value) const {
    if (path.empty()) return json::equal(object_, value) ? Result<void>() : failed_test(path);
    const PatchPlace place(object_, path);
    if (!place.has_parent())
      return patch_failure("test operation does not apply: is missing path: {}: missing value", path);
    const auto found = place.get();
    if (!found) return patch_failure("error in test for path: '{}': {}", path, found.error().message);
    const bool passes = *found == nullptr ? value.is_null() : json::equal(**found, value);
    return passes ? Result<void>() : failed_test(path);
  }

  // move and copy
  Result<void> transfer(const Value& operation, bool is_move) {
    const std::string_view kind = is_move ? "move" : "copy";
    const Value* from = patch_text(operation, "from");
    const Value* path = patch_text(operation, "path");
    if (from == nullptr) {
      return patch_failure("{} operation failed to decode from: operation, missing from field: missing value", kind);
    }
    const PatchPlace source(object_, from->get_string());
    if (!source.has_parent()) {
      return patch_failure("{} operation does not apply: doc is missing from path: {}: missing value", kind,
                           std::string_view(from->get_string()));
    }
    const auto found = source.get();
    if (!found) {
      return is_move ? in("move for path", source.key(), fail(found.error()))
                     : in("copy for from", from->get_string(), fail(found.error()));
    }
    Value value = *found == nullptr ? Value() : **found;
    if (is_move) {
      if (auto removed = in("move for path", source.key(), source.remove()); !removed) return removed;
    } else if ((copied_ += json::extent_of(value).bytes) > json::max_bytes_copied) {
      return patch_failure(
          "Unable to complete the copy, the accumulated size increase of copy is {}, exceeding the limit {}", copied_,
          json::max_bytes_copied);
    }
    if (path == nullptr) return undecodable(kind);
    const PatchPlace target(object_, path->get_string());
    if (!target.has_parent()) {
      return patch_failure("{} operation does not apply: doc is missing destination path: {}: missing value", kind,
                           std::string_view(path->get_string()));
    }
    auto added = target.add(std::move(value));
    if (added) return added;
    return is_move ? in("move for path", path->get_string(), std::move(added))
                   : patch_failure("error while adding value during copy: {}", added.error().message);
  }

  Value& object_;
  std::size_t copied_ = 0;
};

}  // namespace

Result<void> apply_json_patch(Value& object, const json::array& operations) {
  PatchRun run(object);
  for (const Value& operation : operations) {
    if (auto done = run.apply(operation); !done) return done;
  }
  return {};
}

}  // namespace pintle::apiserver
