#include <pintle/client/watch_stream.hpp>

#include <utility>

#include <pintle/client/client.hpp>

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
                                         "/metadata/deletionTimestamp"};

// Parses a line without the projection, for the parts of an event that are not cached.
json::Document whole(std::string_view line) { return json::Document::parse(line).value_or(json::Document()); }

// Parses the bookmark a second time, which is cheap because bookmarks are short.
bool ends_initial_events(std::string_view bookmark) {
  return whole(bookmark).root()["/object/metadata/annotations/k8s.io~1initial-events-end"] == "true";
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

bool is_blank(std::string_view line) { return line.find_first_not_of(" \t\r") == std::string_view::npos; }

}  // namespace

json::Projection with_identity_fields(json::Projection projection) {
  if (!projection.keep.empty()) projection.keep.insert(projection.keep.end(), std::begin(identity), std::end(identity));
  return projection;
}

Result<void> validate_projection(const json::Projection& projection) {
  const json::Document whole_identity(json::Value{
      {"apiVersion", "v1"},
      {"kind", "K"},
      {"metadata",
       {{"name", "n"}, {"uid", "u"}, {"namespace", "s"}, {"resourceVersion", "1"}, {"deletionTimestamp", "t"}}}});
  if (auto kept = json::project(whole_identity.root(), with_identity_fields(projection)); !kept) {
    return fail(std::move(kept.error()));
  }
  for (const std::string& path : projection.drop) {
    const auto kept = json::project(whole_identity.root(), {.drop = {path}});
    if (!kept) return fail(kept.error());
    for (const std::string_view part : identity) {
      if (kept->root()[part].exists()) continue;
      return fail(ErrorCode::invalid, "the projection drops \"" + path + "\", and with it " + std::string(part) +
                                          ", which a cache needs to identify an object; remove that path from .drop");
    }
  }
  return {};
}

WatchStream::WatchStream(GroupVersionKind kind, WatchStreamOptions options)
    : kind_(std::move(kind)),
      longest_(options.max_event_size),
      object_(std::make_shared<json::Document>()),
      reader_(reader_options(kind_, options, object_)) {}

void WatchStream::add(std::string_view bytes) {
  bytes_.erase(0, begin_);
  searched_ -= begin_;
  begin_ = 0;
  bytes_.append(bytes);
}

std::optional<Result<WatchEvent>> WatchStream::next() {
  while (!broken_) {
    const std::size_t end = bytes_.find('\n', searched_);
    const std::size_t length = (end == std::string::npos ? bytes_.size() : end) - begin_;
    if (length > longest_) {
      return broken(make_error(ErrorCode::invalid, "a watch event of " + kind_.to_string() + " is longer than " +
                                                       std::to_string(longest_) + " bytes"));
    }
    if (end == std::string::npos) {
      searched_ = bytes_.size();
      return {};
    }
    const std::string_view line = std::string_view(bytes_).substr(begin_, length);
    searched_ = begin_ = end + 1;
    if (!is_blank(line)) return event_in(line);
  }
  return {};
}

Result<WatchEvent> WatchStream::event_in(std::string_view line) {
  (void)reader_.add(line);  // finish() returns the same error
  auto event = reader_.finish();
  const Object object(std::exchange(*object_, {}));
  if (!event) return broken(std::move(event.error()).with_operation("read a watch event of " + kind_.to_string()));
  const std::string_view name = event->root().member("type").text();
  if (name == "ERROR") return broken(error_in(line));
  if (object.kind() != kind_.kind || object.api_version() != kind_.api_version()) {
    return fail(ErrorCode::invalid, "a watch of " + kind_.to_string() + " received an object of kind " +
                                        object.group_version_kind().to_string());
  }
  const auto type = type_named(name);
  if (type) return WatchEvent{*type, object, type == WatchEventType::bookmark && ends_initial_events(line)};
  return fail(ErrorCode::invalid,
              "a watch of " + kind_.to_string() + " received an event of unknown type \"" + std::string(name) + "\"");
}

Error WatchStream::error_in(std::string_view line) {
  const json::Document event = whole(line);
  const json::View status = event.root().member("object");
  const std::int64_t code = status.member("code").as_integer().value_or(internal_error);
  return error_from_response(static_cast<int>(code), {}, status.print());
}

Error WatchStream::broken(Error error) {
  broken_ = true;
  return error;
}

}  // namespace pintle
