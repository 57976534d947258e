#pragma once

#include "core/graph/graph_scene.h"
#include "test_files.h"

namespace weir::editor {

/// Open project and its drawn scene.
struct Drawn {
    Drawn(const QString& file, const Catalog& catalog) {
        if (const QString why = document.open(file); !why.isEmpty()) throw std::runtime_error(why.toStdString());
        scene.setCatalog(catalog);
    }
    Drawn(const Json& project, const Catalog& catalog) {
        document.startWith(project);
        scene.setCatalog(catalog);
    }

    Document document;
    GraphScene scene{document};
};

} // namespace weir::editor
