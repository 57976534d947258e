#include "features/design/known_rate.h"

#include "core/document/project_places.h"

#include <set>

namespace weir::editor {
namespace {

/// Return `value * numerator / denominator`; an expression if `value` is one.
Json scaled(const Json& value, double numerator, double denominator) {
    if (value.is_null() || numerator <= 0 || denominator <= 0) return {};
    if (numerator == denominator) return value;
    if (value.is_number()) return value.get<double>() * numerator / denominator;
    const auto whole = [](double number) { return std::to_string(static_cast<long long>(number)); };
    return {{"expr", "(" + text(member(value, "expr")) + ") * " + whole(numerator) + " / " + whole(denominator)}};
}

/// Follows the streams upstream.
class RateSearch {
  public:
    RateSearch(const GraphScene& scene, const Json& project, bool takesDefaults)
        : m_scene(scene), m_project(project), m_takesDefaults(takesDefaults) {}

    /// Return the rate at which the block computes: after interpolation, before decimation.
    Json within(const BlockView& block) {
        const BlockType* type = typeOf(block);
        return type && !type->outputs.empty() ? scaled(before(block), items(block, *type, type->outputs.front()), 1)
                                              : before(block);
    }

  private:
    const BlockType* typeOf(const BlockView& block) const { return m_scene.catalog().block(block.type.toStdString()); }

    /// Return the value in the project, else the default if `takeDefault`; null if neither.
    Json valueOf(const BlockView& block, const ParameterType& parameter, bool takesDefault) const {
        const auto at = blockPointer(m_project, block.id.toStdString());
        const Json* value = at ? find(m_project, *at / "parameters" / parameter.id) : nullptr;
        return value ? *value : takesDefault && !parameter.isRequired() ? parameter.defaultValue : Json();
    }

    /// Return the items per firing at a port; 0 if unknown.
    double items(const BlockView& block, const BlockType& type, const PortType& port) const {
        bool isNumber = false;
        const double number = QString::fromStdString(port.rate).toDouble(&isNumber);
        const ParameterType* parameter = isNumber ? nullptr : type.parameter(port.rate);
        const Json value = parameter ? valueOf(block, *parameter, true) : Json(number);
        return value.is_number() ? value.get<double>() : 0;
    }

    Json said(const BlockView& block, const BlockType& type) const {
        for (const char* name : {"sample_rate", "rate"})
            if (const ParameterType* parameter = type.parameter(name))
                if (Json value = valueOf(block, *parameter, m_takesDefaults);
                    member(value, "expr") || (value.is_number() && value.get<double>() > 0))
                    return value;
        return {};
    }

    Json behind(const BlockView& block) {
        const BlockType* type = typeOf(block);
        if (!type || !m_seen.insert(block.id).second) return {};
        Json own = said(block, *type);
        if (!own.is_null() || type->inputs.empty() || type->outputs.empty()) return own;
        return scaled(before(block), items(block, *type, type->outputs.front()),
                      items(block, *type, type->inputs.front()));
    }

    Json before(const BlockView& block) {
        for (const WireView& wire : m_scene.wires()) {
            if (&m_scene.blocks()[static_cast<std::size_t>(wire.target)] != &block) continue;
            if (Json rate = behind(m_scene.blocks()[static_cast<std::size_t>(wire.source)]); !rate.is_null())
                return rate;
        }
        return {};
    }

    const GraphScene& m_scene;
    const Json& m_project;
    bool m_takesDefaults;
    std::set<QString> m_seen;
};

} // namespace

Json knownRate(const GraphScene& scene, const Json& project, const QString& block) {
    const BlockView* view = scene.block(block);
    if (!view) return {};
    if (Json rate = RateSearch(scene, project, false).within(*view); !rate.is_null()) return rate;
    for (const char* name : {"sample_rate", "samp_rate"})
        if (find(project, Pointer("/parameters") / name)) return {{"expr", name}};
    return RateSearch(scene, project, true).within(*view);
}

} // namespace weir::editor
