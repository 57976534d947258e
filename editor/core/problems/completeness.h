#pragma once

#include "problem.h"

#include <QSet>

namespace weir::editor {

/// Which blocks were complete at some time. What a block lacks that never was is not wrong: it is not finished yet.
class Completeness
{
public:
    /// Of an answer that is about the whole graph. Missing connections and values of new blocks become `unfinished`.
    void judge(std::vector<Problem> &problems, const Json &project);
    void forget() { m_complete.clear(); }

private:
    QSet<QString> m_complete;
};

} // namespace weir::editor
