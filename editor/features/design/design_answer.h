#pragma once

#include "core/ask/cli_command.h"
#include "core/json/json.h"
#include "core/rows/fact.h"

#include <QString>

#include <map>
#include <optional>
#include <vector>

namespace weir::editor {

/// Answer of `weir design --at`: magnitudes in dB at `frequencies` in Hz. Without a design, the sample rate is 1 Hz.
struct DesignAnswer {
    Json taps = Json::array();  ///< of the design; without one, those of the project
    Json design;  ///< evaluated; null if there is none
    Json facts = Json::object();
    std::vector<double> frequencies;
    std::vector<double> magnitudes;
    std::vector<double> stored;  ///< magnitudes of the project's taps; empty if it has none
    bool agrees = false;  ///< whether the project's taps are those of the design
};

/// Faults of the design: by the key of the field, and one that belongs to no field.
struct DesignFaults {
    std::map<std::string, QString> fields;
    QString other;
};

/// An answer or faults.
struct DesignReply {
    std::optional<DesignAnswer> answer = {};
    DesignFaults faults = {};
};

DesignReply readDesignReply(const CliAnswer& answer, const std::string& name);

/// Return measurements of the taps of a design; empty without a design.
Facts designFacts(const DesignAnswer& answer);
/// Return the cutoffs or the symbol rate: `115 kHz`, `5.00 kHz – 9.00 kHz`.
QString edgesText(const DesignAnswer& answer);

}  // namespace weir::editor
