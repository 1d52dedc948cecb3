// SPDX-License-Identifier: Apache-2.0
// EventPrints: recent watch events as text, so that an event is printed once for all watches that send it.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include <pintle/base/mutex.hpp>
#include <pintle/object/object.hpp>

#include "apiserver/registry/resource.hpp"
#include "negotiate.hpp"

namespace pintle::apiserver {

// Keeps one text of up to 256 KiB for each of the last 32 versions. An event is printed again if it is larger or older,
// or if watches request it in different forms by turns. Thread-safe.
class EventPrints {
 public:
  // All inputs that determine the text of an event.
  struct Event {
    Object object{};
    ResourcePtr resource{};
    ResponseFormat::Form form = ResponseFormat::Form::object;
    std::string_view type{};  // a string literal
    bool protobuf = false;

    friend bool operator==(const Event& a, const Event& b) {
      return a.object.is_same_document(b.object) && a.resource == b.resource && a.form == b.form && a.type == b.type &&
             a.protobuf == b.protobuf;
    }
  };

  explicit EventPrints(Executor& executor) : mutex_(executor) {}

  // Returns the text of an event of the write with this version; null if it is not kept.
  [[nodiscard]] std::shared_ptr<const std::string> find(std::uint64_t version, const Event& event) const;
  void keep(std::uint64_t version, const Event& event, std::string_view text);

 private:
  struct Print {
    Event event{};
    std::shared_ptr<const std::string> text{};
  };

  mutable Mutex mutex_;
  std::array<Print, 32> prints_ PINTLE_GUARDED_BY(mutex_);
};

}  // namespace pintle::apiserver
