// SPDX-License-Identifier: Apache-2.0
// The reflector does not crash on lists and watch streams of any bytes, in pieces of any size.
#include <cstdint>
#include <string_view>

#include <pintle/cache/reflector.hpp>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace pintle;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  Reflector reflector({.kind = {"v1", "ConfigMap"}, .max_event_size = 4096});
  const Instant now(std::chrono::hours(1));
  (void)reflector.start();
  reflector.on_list_bytes(R"({"metadata":{"resourceVersion":"7"},"items":[]})");
  (void)reflector.on_list_end({}, now);
  reflector.on_watch_open(now);
  const std::size_t step = size == 0 ? 1 : 1 + data[0] % 16U;
  for (std::size_t at = 0; at < size && !reflector.should_end_watch(); at += step) {
    (void)reflector.on_watch_bytes(text.substr(at, step));
  }
  (void)reflector.on_watch_end({}, now);
  for (std::size_t at = 0; at < size; at += step) reflector.on_list_bytes(text.substr(at, step));
  (void)reflector.on_list_end({}, now);

  Reflector streaming({.kind = {"v1", "ConfigMap"}, .list_mode = ListMode::streaming, .max_event_size = 4096});
  (void)streaming.start();
  streaming.on_watch_open(now);
  for (std::size_t at = 0; at < size && !streaming.should_end_watch(); at += step) {
    (void)streaming.on_watch_bytes(text.substr(at, step));
  }
  (void)streaming.on_watch_end({}, now);
  return 0;
}
