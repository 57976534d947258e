#pragma once

#include "core/json/json.h"

#include <QHash>
#include <QSet>
#include <QString>
#include <QStringList>

#include <vector>

namespace weir::editor {

/// Lines of one generated file that come from blocks; from 1, both ends included.
struct SourceRegion {
    int firstLine = 0;
    int lastLine = 0;
    QString
        kind;  ///< block, stream, parameter, include, header, worker, loop, call, job, pair, hop, library or scheduler
    QString name;
    QStringList blocks;
    QStringList instances;

    /// Lists all instances of a worker, or has calls of several blocks in it.
    bool isOfSeveral() const;
};

/// `source_map.json` of a generated project: block -> lines and back.
class SourceMap {
  public:
    SourceMap() = default;
    explicit SourceMap(const Json& document);

    const std::vector<SourceRegion>& regions(const QString& file) const;
    /// The innermost region around a line, or null.
    const SourceRegion* regionAt(const QString& file, int line) const;
    /// The lines of a file that come from any of the blocks and from few others: a list of all instances of a worker, or a loop
    /// around calls of them, would light up for each of them.
    std::vector<int> linesOf(const QString& file, const QSet<QString>& blocks) const;
    /// The line where a block is declared; 0 where the file does not do so.
    int declarationOf(const QString& file, const QString& block) const;
    bool isEmpty() const { return m_regions.isEmpty(); }

  private:
    QHash<QString, std::vector<SourceRegion>> m_regions;
};

}  // namespace weir::editor
