#pragma once

#include "core/json/json.h"

#include <QString>

namespace weir::editor {

/// Return the thread settings of a project, a plan or results as text: `fifo 80`, `deadline 500/1000/1000 µs`,
/// `other, slack 50 µs`. Empty if there are none.
QString schedulingText(const Json& scheduling);
/// Return the text without the timer slack.
QString policyText(const Json& scheduling);
/// Return the timer slack alone, `50 µs`; empty if it is not set or the least possible.
QString slackText(const Json& scheduling);

} // namespace weir::editor
