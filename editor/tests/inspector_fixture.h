#pragma once

#include "core/document/document.h"
#include "features/deployment/deployment_rows.h"
#include "features/inspector/inspector_rows.h"
#include "shell/fields/row_marks.h"
#include "test_files.h"

#include <QObject>

#include <algorithm>

namespace weir::editor {

inline const ParameterRow& rowOf(const std::vector<ParameterRow>& rows, const char* name) {
    const auto it =
        std::find_if(rows.begin(), rows.end(), [name](const auto& row) { return row.name == QLatin1String(name); });
    if (it == rows.end()) qFatal("there is no row %s", name);
    return *it;
}

/// Fixture for tests of the inspector.
class InspectorFixture : public QObject {
  protected:
    Catalog m_catalog;

    /// Fills the document with a filter, two amplifiers, and parameters that blocks, the deployment and the sweep use.
    static void fill(Document& document) {
        document.startNew();
        document.edit(QStringLiteral("fill"), [](Transaction& t) {
            t.set(Pointer("/parameters"), jsonOf(R"({"stages": {"value": 6, "minimum": 1, "maximum": 64},
                "half": {"value": {"expr": "stages / 2"}}, "gain": {"value": 0.5, "minimum": 0, "maximum": {"expr": "stages / 6"}}})"));
            t.set(Pointer("/graph/blocks"), jsonOf(R"([
                {"id": "filter", "type": "fir_filter", "parameters": {"decimation": 4, "taps": [1]}},
                {"id": "first", "type": "multiply_const", "parameters": {"item_type": "f32", "constant": 2}},
                {"id": "second", "type": "multiply_const", "parameters": {"constant": {"expr": "stages"}}, "probe": true}])"));
            t.set(Pointer("/deployments"),
                  jsonOf(R"([{"name": "pool", "scheduler": "thread_pool", "parameters": {"passes": 9},
                "chunk_items": {"expr": "stages * 10 k"}}])"));
            t.set(Pointer("/sweeps"), jsonOf(R"([{"name": "s", "vary": {"stages": [1, 2], "deployment": ["pool"]},
                "plot": {"x": "stages", "by": "deployment"}}])"));
        });
    }

    struct FilledDocument : Document {
        FilledDocument() {
            fill(*this);
            before = canonicalText();
        }
        std::string before;
    };

    std::vector<ParameterRow> rowsOf(const Document& document, const QStringList& blocks) {
        return blockParameterRows(document.json(), m_catalog, blocks);
    }
};

}  // namespace weir::editor
