// SPDX-License-Identifier: Apache-2.0
#include <pintle/cache/informer.hpp>

#include <utility>

#include "informer_core.hpp"

namespace pintle {

Informer::Informer(Client& client, Dispatcher& dispatcher, Log log, InformerOptions options)
    : core_(std::make_shared<Core>(client, dispatcher, std::move(log), std::move(options))) {}

Informer::~Informer() { stop(); }

std::shared_ptr<const InformerHandler> Informer::add_handler(ChangeHandler handler, HandlerOptions options) {
  auto state = std::make_shared<InformerHandler>();
  NewHandler added{.handler = std::move(handler), .options = std::move(options), .state = state};
  if (core_->has_started()) {
    core_->add_late_handler(std::move(added));
  } else {
    handlers_.push_back(std::move(added));
  }
  return state;
}
Result<void> Informer::add_index(const Index& index) { return core_->add_index(index); }
void Informer::on_watch_end(std::function<void(const Error*)> callback) {
  watch_end_handlers_.push_back(std::move(callback));
}
void Informer::on_write(std::function<void(const Write&)> callback) { write_handlers_.push_back(std::move(callback)); }
void Informer::on_rewind(std::function<void()> callback) { rewind_handlers_.push_back(std::move(callback)); }
void Informer::on_not_found(std::function<void()> callback) { not_found_handlers_.push_back(std::move(callback)); }
void Informer::on_first_result(std::function<void()> callback) {
  first_result_handlers_.push_back(std::move(callback));
}
void Informer::on_synced(std::function<void()> callback) { synced_handlers_.push_back(std::move(callback)); }
void Informer::start() {
  core_->start({.changes = std::exchange(handlers_, {}),
                .watch_ends = std::exchange(watch_end_handlers_, {}),
                .writes = std::exchange(write_handlers_, {}),
                .rewinds = std::exchange(rewind_handlers_, {}),
                .not_found = std::exchange(not_found_handlers_, {}),
                .first_result = std::exchange(first_result_handlers_, {}),
                .synced = std::exchange(synced_handlers_, {})});
}
void Informer::begin(Resource resource) { core_->begin(std::move(resource)); }
void Informer::expect() { core_->expect(); }
void Informer::withdraw() { core_->withdraw(); }
void Informer::suspend() { core_->suspend(); }
void Informer::stop() { core_->stop(); }
const Store& Informer::store() const noexcept { return core_->store; }
bool Informer::has_only_own_writes(const Object& before, const Object& after) const {
  return core_->own_versions.lead(before, after);
}
const Resource& Informer::resource() const noexcept { return core_->options.resource; }
const InformerOptions& Informer::options() const noexcept { return core_->options; }
std::optional<std::uint64_t> Informer::pending_create() const { return core_->own_writes.pending_create(); }
void Informer::resolve_pending_create(std::uint64_t pending, std::string_view version) {
  core_->own_writes.resolve_pending_create(pending, version);
}
bool Informer::has_synced() const { return core_->has_synced(); }
std::string Informer::title() const { return core_->title(); }
bool Informer::is_readable() const noexcept { return core_->is_readable(); }
InformerStatus Informer::status() const { return core_->status(); }
std::string Informer::sync_status() const { return core_->sync_status(); }
Result<void> Informer::wait_for_sync(Instant deadline, std::stop_token stop) {
  return core_->wait_for_sync(deadline, stop, false);
}
Result<void> Informer::wait_for_sync_if_active(Instant deadline, std::stop_token stop) {
  return core_->wait_for_sync(deadline, stop, true);
}

}  // namespace pintle
