// SPDX-License-Identifier: Apache-2.0
// AdmissionReview: reads the reviews that an API server sends to webhooks, and writes the responses.
#pragma once

#include <string>
#include <string_view>

#include <pintle/base/result.hpp>
#include <pintle/json/patch.hpp>
#include <pintle/webhook/admission_request.hpp>
#include <pintle/webhook/verdict.hpp>

namespace pintle {

// Parses an AdmissionReview of version v1. Error: invalid; the message names the member that is missing or wrong.
[[nodiscard]] Result<AdmissionRequest> read_admission_review(std::string_view body);

// Returns the review with the response to the request with this uid. The patch is left out if it is empty or the
// request is denied.
[[nodiscard]] std::string print_admission_review(const std::string& uid, const AdmissionVerdict& verdict,
                                                 const json::Patch& patch = {});

}  // namespace pintle
