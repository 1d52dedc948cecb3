// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include <pintle/controller/source.hpp>

namespace pintle {

ChannelSource::ChannelSource(Executor& executor, std::size_t capacity) : capacity_(capacity), mutex_(executor) {}
ChannelSource::~ChannelSource() = default;

bool ChannelSource::send(ObjectKey key, std::string note) {
  const MutexLock lock(mutex_);
  if (sink_) return sink_(key, std::move(note));
  if (kept_.size() >= capacity_) return false;
  kept_.emplace_back(std::move(key), std::move(note));
  return true;
}

void ChannelSource::open(Sink sink) {
  const MutexLock lock(mutex_);
  sink_ = std::move(sink);
  for (auto& [key, note] : std::exchange(kept_, {})) sink_(key, std::move(note));
}

void ChannelSource::close() {
  const MutexLock lock(mutex_);
  sink_ = nullptr;
}

}  // namespace pintle
