#pragma once

#include "core/problems/problem.h"

#include <QHash>
#include <QSet>

namespace weir::editor {

/// Which blocks were complete at some time. What a block lacks that never was is not wrong: it is not finished yet.
class Completeness {
  public:
    /// Of an answer that is about the whole graph, after `steps` steps. Missing connections and values of new blocks become
    /// `unfinished`; a block that a later step completed is new again once that is undone.
    void judge(std::vector<Problem>& problems, const Json& project, int steps);
    void forget() { m_complete.clear(); }

  private:
    QHash<QString, int> m_complete;  ///< after how many steps
};

}  // namespace weir::editor
