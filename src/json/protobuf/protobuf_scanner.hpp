// SPDX-License-Identifier: Apache-2.0
// ProtobufScanner: parses an object or a list in Kubernetes protobuf that arrives in chunks, and sends its content to a
// sink (see walk.hpp). Each item of a list is sent when it is complete.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "message_decoder.hpp"

namespace pintle::json {

// The first bytes of Kubernetes protobuf. The envelope follows: the type, the message, its encoding and its media type.
constexpr std::string_view protobuf_magic("k8s\0", 4);

template <class Sink>
class ProtobufScanner {
 public:
  // `types` and `sink` must outlive the scanner. `max_document_size`: the maximum size in bytes of an object, and of an
  // item.
  ProtobufScanner(Sink& sink, const MessageTypes& types, std::size_t max_depth, std::size_t max_document_size)
      : sink_(sink), types_(types), max_document_size_(max_document_size), decoder_(sink, max_depth) {}

  void restart() {
    decoder_.restart();
    state_ = State::magic;
    api_version_.clear();
    kind_.clear();
    buffer_.clear();
    needed_ = left_ = offset_ = members_ = items_ = 0;
    message_ = item_ = nullptr;
    begins_items_ = false;
  }

  // Error: invalid for malformed bytes, with the byte offset; unsupported for a kind or a member that is not in the
  // table of messages. Must not be called after an error.
  [[nodiscard]] Result<void> add(std::string_view bytes) {
    while (!buffer_.empty() && !bytes.empty()) {
      const std::size_t more = std::min(needed_ - buffer_.size(), bytes.size());
      buffer_.append(bytes.substr(0, more));
      bytes.remove_prefix(more);
      if (buffer_.size() < needed_) return {};
      const std::size_t used = step(buffer_);
      if (decoder_.error()) return outcome();
      buffer_.erase(0, used);
    }
    while (!bytes.empty()) {
      const std::size_t used = step(bytes);
      if (decoder_.error()) return outcome();
      if (used == 0) {
        buffer_.assign(bytes);
        break;
      }
      bytes.remove_prefix(used);
    }
    return {};
  }
  [[nodiscard]] Result<void> finish() {
    if (state_ == State::after && buffer_.empty()) return {};
    decoder_.fail_with(make_error(ErrorCode::invalid, "it ends too early"));
    return outcome();
  }

 private:
  enum class State : std::uint8_t { magic, envelope, list, after };

  // A member whose chunk may not be complete.
  struct Member {
    WireKey key;
    std::size_t head = 0;    // bytes of the key and of the size of the chunk, or of the whole value if it is no chunk
    std::uint64_t size = 0;  // of the chunk
    [[nodiscard]] std::uint64_t total() const noexcept { return head + size; }
  };

  [[nodiscard]] Result<void> outcome() const {
    const Error& error = *decoder_.error();
    if (error.code == ErrorCode::unsupported) return fail(error);
    return fail(error.code, "invalid protobuf at byte " + std::to_string(offset_) + ": " + error.message);
  }

  // Reads one unit at the start of `bytes` and returns its size. Returns 0 after an error, and also if the unit is not
  // complete; `needed_` is then a size that it has at least.
  std::size_t step(std::string_view bytes) {
    std::size_t used = 0;
    switch (state_) {
      case State::magic: used = read_magic(bytes); break;
      case State::envelope:
      case State::after: used = read_envelope(bytes); break;
      case State::list: used = read_list(bytes); break;
    }
    offset_ += used;
    return used;
  }
  std::size_t more(std::size_t needed) {
    needed_ = needed;
    return 0;
  }
  std::size_t fail_with(ErrorCode code, std::string why) {
    decoder_.fail_with(make_error(code, std::move(why)));
    return 0;
  }

  std::size_t read_magic(std::string_view bytes) {
    if (bytes.size() < protobuf_magic.size()) return more(protobuf_magic.size());
    if (!bytes.starts_with(protobuf_magic)) return fail_with(ErrorCode::invalid, "this is not Kubernetes protobuf");
    state_ = State::envelope;
    return protobuf_magic.size();
  }

  // Returns false if the head of the member is not complete, or after an error.
  bool read_head(std::string_view bytes, Member& member) {
    constexpr std::size_t max_head_size = 20;
    Wire in(bytes.substr(0, max_head_size));
    bool is_set = false;
    bool is_read = in.key(member.key);
    if (is_read)
      is_read = member.key.type == WireKey::chunk ? in.varint(member.size) : in.skip(member.key.type, is_set);
    if (is_read) {
      member.head = static_cast<std::size_t>(in.at() - bytes.data());
      return true;
    }
    if (bytes.size() >= max_head_size) {
      decoder_.malformed();
    } else {
      (void)more(bytes.size() + 1);
    }
    return false;
  }
  // Returns whether the member is complete.
  bool has_all(std::string_view bytes, const Member& member) {
    if (member.size > max_document_size_) {
      (void)fail_with(ErrorCode::invalid, "a document is longer than " + std::to_string(max_document_size_) + " bytes");
      return false;
    }
    if (bytes.size() >= member.total()) return true;
    (void)more(static_cast<std::size_t>(member.total()));
    return false;
  }

  std::size_t read_envelope(std::string_view bytes) {
    Member member;
    if (!read_head(bytes, member)) return 0;
    const bool is_message = member.key.number == 2 && member.key.type == WireKey::chunk;
    if (is_message && state_ == State::envelope) {
      if (!find_message()) return 0;
      if (item_ != nullptr) return begin_list(member);
    }
    if (!has_all(bytes, member)) return 0;
    const std::string_view content = bytes.substr(member.head, static_cast<std::size_t>(member.size));
    const bool is_fine = is_message ? read_object(content) : read_around(member.key, content);
    return is_fine ? static_cast<std::size_t>(member.total()) : 0;
  }

  bool read_object(std::string_view content) {
    if (state_ == State::after) return decoder_.malformed();
    state_ = State::after;
    return decoder_.object(content, *message_, [this] { return put_type(); });
  }

  // Reads a member beside the message: 1 is its type, 3 its encoding, 4 its media type.
  bool read_around(WireKey key, std::string_view content) {
    if (key.type != WireKey::chunk) return true;
    if (key.number == 1) return state_ == State::after ? decoder_.malformed() : read_type(content);
    if ((key.number != 3 && key.number != 4) || content.empty()) return true;
    return decoder_.fail_with(make_error(ErrorCode::unsupported, "the message is encoded as " + std::string(content) +
                                                                     ", which is not supported in protobuf"));
  }

  bool read_type(std::string_view content) {
    for (Wire in(content); !in.done();) {
      WireKey key;
      std::string_view text;
      if (!in.key(key) || key.type != WireKey::chunk || !in.chunk(text)) return decoder_.malformed();
      if (key.number == 1) api_version_ = sanitize_utf8(text);
      if (key.number == 2) kind_ = sanitize_utf8(text);
    }
    return true;
  }

  bool find_message() {
    if (kind_.empty()) return decoder_.fail_with(make_error(ErrorCode::invalid, "the message has no kind"));
    message_ = types_.find_kind(api_version_, kind_);
    if (message_ != nullptr) return true;
    constexpr std::string_view suffix = "List";
    const std::string_view kind(kind_);
    if (kind.ends_with(suffix)) item_ = types_.find_kind(api_version_, kind.substr(0, kind.size() - suffix.size()));
    message_ = item_ == nullptr ? nullptr : types_.find("meta.v1.ListMeta");
    if (message_ != nullptr) return true;
    return decoder_.fail_with(
        make_error(ErrorCode::unsupported, api_version_ + " " + kind_ + " is not supported in protobuf"));
  }

  std::size_t put_type() {
    decoder_.put_key("apiVersion");
    sink_.string(api_version_);
    decoder_.put_key("kind");
    sink_.string(kind_);
    return 2;
  }

  std::size_t begin_list(const Member& member) {
    state_ = State::list;
    left_ = member.size;
    if (!decoder_.enter() || !decoder_.enter()) return 0;  // the list and its items
    sink_.begin_object();
    members_ = put_type();
    if (left_ == 0) end_list();
    return member.head;
  }

  std::size_t read_list(std::string_view bytes) {
    bytes = bytes.substr(0, static_cast<std::size_t>(std::min<std::uint64_t>(bytes.size(), left_)));
    Member member;
    const bool is_cut = !read_head(bytes, member) || !has_all(bytes, member);
    if (is_cut && !decoder_.error() && needed_ > left_) decoder_.malformed();
    if (is_cut) return 0;
    const std::string_view content = bytes.substr(member.head, static_cast<std::size_t>(member.size));
    if (!read_list_member(member, content)) return 0;
    left_ -= member.total();
    if (left_ == 0) end_list();
    return static_cast<std::size_t>(member.total());
  }

  bool read_list_member(const Member& member, std::string_view content) {
    if (member.key.type != WireKey::chunk) return decoder_.malformed();
    if (member.key.number == 1 && !begins_items_) {
      decoder_.put_key("metadata");
      ++members_;
      return decoder_.object(content, *message_);
    }
    if (member.key.number == 2) {
      begin_items();
      ++items_;
      return decoder_.object(content, *item_);
    }
    return decoder_.malformed();
  }
  void begin_items() {
    if (begins_items_) return;
    begins_items_ = true;
    decoder_.put_key("items");
    ++members_;
    sink_.begin_array();
  }
  void end_list() {
    begin_items();
    sink_.end_array(items_);
    sink_.end_object(members_);
    decoder_.leave();
    decoder_.leave();
    state_ = State::after;
  }

  Sink& sink_;
  const MessageTypes& types_;
  const std::size_t max_document_size_;
  MessageDecoder<Sink> decoder_;
  State state_ = State::magic;
  std::string api_version_;
  std::string kind_;
  const MessageTypes::Message* message_ = nullptr;
  const MessageTypes::Message* item_ = nullptr;  // of a list
  std::uint64_t left_ = 0;                       // bytes of the list
  std::size_t members_ = 0;                      // of the list
  std::size_t items_ = 0;
  bool begins_items_ = false;
  std::string buffer_;      // the beginning of a unit
  std::size_t needed_ = 0;  // a size that the unit in buffer_ has at least
  std::size_t offset_ = 0;  // of the unit
};

}  // namespace pintle::json
