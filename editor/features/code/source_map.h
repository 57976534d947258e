#pragma once

#include "core/json/json.h"

#include <QHash>
#include <QSet>
#include <QString>
#include <QStringList>

#include <vector>

namespace weir::editor {

/// Lines of one generated file that come from blocks. Lines count from 1; both ends are included.
struct SourceRegion {
    int firstLine = 0;
    int lastLine = 0;
    QString
        kind;  ///< block, stream, parameter, include, header, worker, loop, call, job, pair, hop, library or scheduler
    QString name;
    QStringList blocks;
    QStringList instances;

    /// True if the region lists all instances of a worker or calls several blocks.
    bool isOfSeveral() const;
};

/// `source_map.json` of a generated project: block -> lines and back.
class SourceMap {
  public:
    SourceMap() = default;
    explicit SourceMap(const Json& document);

    const std::vector<SourceRegion>& regions(const QString& file) const;
    /// Return the innermost region around a line, or null.
    const SourceRegion* regionAt(const QString& file, int line) const;
    /// Return the lines of a file that come from the blocks. Leave out regions of many blocks, such as lists of
    /// instances or loops around calls: they would light up for each of them.
    std::vector<int> linesOf(const QString& file, const QSet<QString>& blocks) const;
    /// Return the line that declares a block; 0 if the file does not.
    int declarationOf(const QString& file, const QString& block) const;
    bool isEmpty() const { return m_regions.isEmpty(); }

  private:
    QHash<QString, std::vector<SourceRegion>> m_regions;
};

}  // namespace weir::editor
