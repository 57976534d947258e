#pragma once

#include "core/ask/cli_command.h"
#include "core/json/json.h"
#include "core/rows/fact.h"

#include <QString>

#include <map>
#include <optional>
#include <vector>

namespace weir::editor {

/// Answer of `weir design --at`. Magnitudes in dB at `frequencies` in Hz; at a sample rate of 1 Hz without a design.
struct DesignAnswer {
    Json taps = Json::array();  ///< of the design, else those stored
    Json design;  ///< evaluated; null without one
    Json facts = Json::object();
    std::vector<double> frequencies;
    std::vector<double> magnitudes;
    std::vector<double> stored;  ///< of the taps that the project has; empty where it has none
    bool agrees = false;  ///< whether the stored taps are the design's
};

/// Faults of the design: at its fields by their keys, and others.
struct DesignFaults {
    std::map<std::string, QString> fields;
    QString other;
};

/// One of both.
struct DesignReply {
    std::optional<DesignAnswer> answer = {};
    DesignFaults faults = {};
};

DesignReply readDesignReply(const CliAnswer& answer, const std::string& name);

/// Return measurements of the taps of a design; empty without a design.
Facts designFacts(const DesignAnswer& answer);
/// Its cutoffs, or its symbol rate: `115 kHz`, `5.00 kHz – 9.00 kHz`.
QString edgesText(const DesignAnswer& answer);

}  // namespace weir::editor
