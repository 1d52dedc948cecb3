// SPDX-License-Identifier: Apache-2.0
#include <pintle/client/watch_stream.hpp>

#include <utility>

#include <pintle/client/client.hpp>
#include <pintle/object/protobuf.hpp>

namespace pintle {

namespace {

constexpr int internal_error = 500;

std::optional<WatchEventType> type_named(std::string_view name) {
  if (name == "ADDED") return WatchEventType::added;
  if (name == "MODIFIED") return WatchEventType::modified;
  if (name == "DELETED") return WatchEventType::deleted;
  if (name == "BOOKMARK") return WatchEventType::bookmark;
  return {};
}

constexpr std::string_view identity[] = {"/apiVersion",
                                         "/kind",
                                         "/metadata/name",
                                         "/metadata/uid",
                                         "/metadata/namespace",
                                         "/metadata/resourceVersion",
                                         "/metadata/generation",
                                         "/metadata/deletionTimestamp",
                                         "/metadata/deletionGracePeriodSeconds",
                                         "/metadata/finalizers",
                                         "/metadata/ownerReferences"};

// An object with all members of `identity`.
json::Value sample() {
  const json::object owner{{"apiVersion", "v1"}, {"kind", "K"}, {"name", "n"}, {"uid", "u"}, {"controller", true}};
  return {{"apiVersion", "v1"},
          {"kind", "K"},
          {"metadata",
           {{"name", "n"},
            {"uid", "u"},
            {"namespace", "s"},
            {"resourceVersion", "1"},
            {"generation", 1},
            {"deletionTimestamp", "t"},
            {"deletionGracePeriodSeconds", 1},
            {"finalizers", json::array{json::Value("f")}},
            {"ownerReferences", json::array{json::Value(owner)}}}}};
}

// Parses a line or an object in protobuf without the projection, for the parts of an event that are not cached.
json::Document whole(std::string_view bytes) {
  json::Reader reader({.messages = bytes.starts_with("k8s") ? &protobuf_types() : nullptr});
  (void)reader.add(bytes);  // finish() returns the same error
  return reader.finish().value_or(json::Document());
}

bool ends_initial_events(json::View bookmark) {
  return bookmark["/metadata/annotations/k8s.io~1initial-events-end"] == "true";
}

json::ReaderOptions reader_options(const GroupVersionKind& kind, const WatchStreamOptions& options,
                                   std::shared_ptr<json::Document> object) {
  json::ReaderOptions made{.pool = options.pool,
                           .parts = "object",
                           .on_part = [to = std::move(object)](json::Document one) { *to = std::move(one); },
                           .projection = with_identity_fields(options.projection)};
  if (options.metadata_only) made.overrides = {{"apiVersion", kind.api_version()}, {"kind", kind.kind}};
  return made;
}

// The object of a frame is a whole text, with its kind.
json::ReaderOptions object_options(const GroupVersionKind& kind, const WatchStreamOptions& options) {
  return {.pool = options.pool,
          .projection = with_identity_fields(options.projection),
          .messages = protobuf_types_of(kind.api_version(), kind.kind)};
}

bool is_blank(std::string_view line) { return line.find_first_not_of(" \t\r") == std::string_view::npos; }

}  // namespace

json::Projection with_identity_fields(json::Projection projection) {
  if (!projection.keep.empty()) projection.keep.insert(projection.keep.end(), std::begin(identity), std::end(identity));
  return projection;
}

Result<void> validate_projection(const json::Projection& projection) {
  const json::Document whole_identity(sample());
  if (auto kept = json::project(whole_identity.root(), with_identity_fields(projection)); !kept) {
    return fail(std::move(kept.error()));
  }
  for (const std::string& path : projection.drop) {
    const auto kept = json::project(whole_identity.root(), {.drop = {path}});
    if (!kept) return fail(kept.error());
    for (const std::string_view part : identity) {
      if (kept->root()[part] == whole_identity.root()[part]) continue;
      return fail(ErrorCode::invalid, "the projection drops \"" + path + "\", and with it " + std::string(part) +
                                          ", which caches and controllers need; remove that path from .drop");
    }
  }
  return {};
}

WatchStream::WatchStream(GroupVersionKind kind, WatchStreamOptions options)
    : kind_(std::move(kind)),
      max_event_size_(options.max_event_size),
      object_(std::make_shared<json::Document>()),
      reader_(reader_options(kind_, options, object_)),
      object_reader_(object_options(kind_, options)) {}

void WatchStream::add(std::string_view bytes) {
  // The first byte of a frame is the highest byte of its size; text begins with a larger one.
  constexpr unsigned char max_first_byte = 8;
  if (is_first_ && !bytes.empty()) {
    is_first_ = false;
    is_framed_ = static_cast<unsigned char>(bytes.front()) <= max_first_byte;
  }
  bytes_.erase(0, begin_);
  searched_ -= begin_;
  begin_ = 0;
  bytes_.append(bytes);
}

std::optional<Result<WatchEvent>> WatchStream::next() {
  if (broken_) return {};
  return is_framed_ ? next_frame() : next_line();
}

std::optional<Result<WatchEvent>> WatchStream::next_line() {
  while (true) {
    const std::size_t end = bytes_.find('\n', searched_);
    const std::size_t length = (end == std::string::npos ? bytes_.size() : end) - begin_;
    if (length > max_event_size_) return broken(too_long());
    if (end == std::string::npos) {
      searched_ = bytes_.size();
      return {};
    }
    const std::string_view line = std::string_view(bytes_).substr(begin_, length);
    searched_ = begin_ = end + 1;
    if (!is_blank(line)) return event_in(line);
  }
}

// A frame begins with its size in four bytes, the highest first.
std::optional<Result<WatchEvent>> WatchStream::next_frame() {
  constexpr std::size_t head = 4;
  const std::string_view rest = std::string_view(bytes_).substr(begin_);
  if (rest.size() < head) return {};
  std::size_t size = 0;
  for (const char c : rest.substr(0, head)) size = size << 8U | static_cast<unsigned char>(c);
  if (size > max_event_size_) return broken(too_long());
  if (rest.size() - head < size) return {};
  searched_ = begin_ += head + size;
  return event_in_frame(rest.substr(head, size));
}

Error WatchStream::too_long() const {
  return make_error(ErrorCode::invalid, "a watch event of " + kind_.to_string() + " is longer than " +
                                            std::to_string(max_event_size_) + " bytes");
}

Result<WatchEvent> WatchStream::event_in(std::string_view line) {
  (void)reader_.add(line);  // finish() returns the same error
  auto event = reader_.finish();
  Object object(std::exchange(*object_, {}));
  if (!event) return broken(std::move(event.error()).with_operation("read a watch event of " + kind_.to_string()));
  const std::string_view name = event->root().member("type").text();
  if (name == "ERROR") return broken(error_in(whole(line).root().member("object")));
  return checked(name, std::move(object),
                 name == "BOOKMARK" && ends_initial_events(whole(line).root().member("object")));
}

Result<WatchEvent> WatchStream::event_in_frame(std::string_view frame) {
  const auto event = read_protobuf_event(frame);
  const auto undecodable = [this](Error error) {
    has_bad_protobuf_ = true;
    return broken(std::move(error).with_operation("read a watch event of " + kind_.to_string()));
  };
  if (!event) return undecodable(make_error(ErrorCode::invalid, "the protobuf of the event is malformed"));
  if (event->type == "ERROR") return broken(error_in(whole(event->object).root()));
  (void)object_reader_.add(event->object);  // finish() returns the same error
  auto document = object_reader_.finish();
  if (!document) return undecodable(std::move(document.error()));
  return checked(event->type, Object(std::move(*document)),
                 event->type == "BOOKMARK" && ends_initial_events(whole(event->object).root()));
}

Result<WatchEvent> WatchStream::checked(std::string_view name, Object object, bool ends_initial) const {
  if (object.kind() != kind_.kind || object.api_version() != kind_.api_version()) {
    return fail(ErrorCode::invalid, "a watch of " + kind_.to_string() + " received an object of kind " +
                                        object.group_version_kind().to_string());
  }
  const auto type = type_named(name);
  if (type) return WatchEvent{*type, std::move(object), ends_initial};
  return fail(ErrorCode::invalid,
              "a watch of " + kind_.to_string() + " received an event of unknown type \"" + std::string(name) + "\"");
}

Error WatchStream::error_in(json::View status) {
  const std::int64_t code = status.member("code").as_integer().value_or(internal_error);
  return error_from_response(static_cast<int>(code), {}, status.print());
}

Error WatchStream::broken(Error error) {
  broken_ = true;
  return error;
}

}  // namespace pintle
