// SPDX-License-Identifier: Apache-2.0
// MockReconciler: an external::Reconciler whose steps receive another client, for tests.
#pragma once

#include <memory>
#include <utility>

#include <pintle/patterns/external/std_reconciler.hpp>

namespace pintle::testkit {

/// Runs all steps of the real reconciler. The result of its configure step is ignored: the other steps receive `meta`
/// instead, for example the client of a fake API in place of an API that is unreachable in the test. Thread-safe if the
/// real reconciler is.
template <external::IsReconciler R>
class MockReconciler final : public external::Reconciler<typename R::Resource, typename R::Meta, typename R::Data> {
 public:
  using Resource = typename R::Resource;
  using Meta = typename R::Meta;
  using Data = typename R::Data;

  MockReconciler(std::shared_ptr<R> real, Meta meta) : real_(std::move(real)), meta_(std::move(meta)) {}

  Result<Meta> configure(const Resource& object, Context& context) override {
    (void)real_->configure(object, context);
    return meta_;
  }
  Outcome read(const Resource& object, Context& context, Data& data, Meta& meta) override {
    return real_->read(object, context, data, meta);
  }
  Result<external::Diff> diff(const Resource& object, Context& context, Data& data, Meta& meta) override {
    return real_->diff(object, context, data, meta);
  }
  Outcome create(const Resource& object, Context& context, Data& data, Meta& meta) override {
    return real_->create(object, context, data, meta);
  }
  Outcome update(const Resource& object, Context& context, Data& data, Meta& meta) override {
    return real_->update(object, context, data, meta);
  }
  Outcome remove(const Resource& object, Context& context, Data& data, Meta& meta) override {
    return real_->remove(object, context, data, meta);
  }
  ErrorDecision on_error(const Resource& object, Context& context, Data& data, Meta& meta,
                         const Error& error) override {
    return real_->on_error(object, context, data, meta, error);
  }
  Outcome on_success(const Resource& object, Context& context, Data& data, Meta& meta,
                     const external::Diff& diff) override {
    return real_->on_success(object, context, data, meta, diff);
  }

 private:
  const std::shared_ptr<R> real_;
  const Meta meta_;
};

}  // namespace pintle::testkit
