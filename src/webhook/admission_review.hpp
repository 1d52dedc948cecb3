// SPDX-License-Identifier: Apache-2.0
// AdmissionReview: reads the reviews that an API server sends to webhooks, and writes the responses.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <pintle/base/mutex.hpp>
#include <pintle/base/result.hpp>
#include <pintle/json/patch.hpp>
#include <pintle/json/pool.hpp>
#include <pintle/webhook/admission_request.hpp>
#include <pintle/webhook/verdict.hpp>

namespace pintle {

// Parses an AdmissionReview of version v1. Error: invalid; the message names the member that is missing or wrong.
[[nodiscard]] Result<AdmissionRequest> read_admission_review(std::string_view body);

// The same for many reviews, which have much of their structure in common. Their objects share the lists of member
// names, and may outlive the reader. Thread-safe.
class AdmissionReviewReader {
 public:
  explicit AdmissionReviewReader(Executor& executor);
  ~AdmissionReviewReader();
  AdmissionReviewReader(const AdmissionReviewReader&) = delete;
  AdmissionReviewReader& operator=(const AdmissionReviewReader&) = delete;

  [[nodiscard]] Result<AdmissionRequest> read(std::string_view body);

 private:
  struct Tools;
  [[nodiscard]] std::unique_ptr<Tools> take();
  void put_back(std::unique_ptr<Tools> tools, std::size_t length);

  json::Pool pool_;
  Mutex mutex_;
  std::vector<std::unique_ptr<Tools>> spare_ PINTLE_GUARDED_BY(mutex_);
};

// Returns the review with the response to the request with this uid. The patch is left out if it is empty or the
// request is denied.
[[nodiscard]] std::string print_admission_review(const std::string& uid, const AdmissionVerdict& verdict,
                                                 const json::Patch& patch = {});

}  // namespace pintle
