#include "code_controller.h"

#include "editor.h"

#include <QUrl>

#include <algorithm>
#include <utility>

using namespace weir::editor;

namespace {

const QString kFlowgraph = QStringLiteral("src/flowgraph.hpp");

} // namespace

CodeController::CodeController(Editor &editor, QObject *parent)
    : QObject(parent), m_editor(editor),
      m_generator(editor.command(), editor.document(), [&editor] { return editor.deployment(); }), m_file(kFlowgraph)
{
    connect(&m_generator, &CodeGenerator::stateChanged, this, &CodeController::stateChanged);
    connect(&m_generator, &CodeGenerator::generated, this, &CodeController::receive);
    connect(&editor, &Editor::deploymentsChanged, &m_generator, &CodeGenerator::refresh);
    connect(&editor.selection(), &Selection::changed, this, &CodeController::followSelection);
    connect(&editor.problemModel(), &ProblemModel::countChanged, this, &CodeController::updateMarks);
    connect(&editor, &Editor::catalogChanged, this, &CodeController::updateMarks);
}

QUrl CodeController::folder() const
{
    return m_generator.folder().isEmpty() ? QUrl() : QUrl::fromLocalFile(m_generator.folder());
}

void CodeController::receive()
{
    const bool first = m_files.rowCount() == 0;
    m_files.setFiles(m_generator.files());
    if (!m_generator.files().contains(m_file)) {
        m_file = m_generator.files().contains(kFlowgraph) ? kFlowgraph : m_generator.files().value(0);
        emit fileChanged();
    }
    loadText();
    if (!m_wantedFile.isEmpty())
        showLine(std::exchange(m_wantedFile, {}), m_wantedLine);
    else if (first)
        followSelection();
}

void CodeController::setFile(const QString &file)
{
    if (file == m_file || !m_generator.files().contains(file))
        return;
    m_file = file;
    m_cursor = -1;
    emit fileChanged();
    loadText();
    emit revealRequested(0);
}

void CodeController::loadText()
{
    m_failure.clear();
    m_text = CodeText(m_generator.text(m_file, &m_failure), languageOf(m_file));
    m_cursor = std::min(m_cursor, m_text.lineCount() - 1);
    emit textChanged();
    if (!m_failure.isEmpty())
        emit stateChanged();
    updateMarks();
    updateMatches();
}

const CodeController::LineMark &CodeController::mark(int line) const
{
    static const LineMark none;
    return line >= 0 && line < static_cast<int>(m_marks.size()) ? m_marks[static_cast<std::size_t>(line)] : none;
}

void CodeController::updateMarks()
{
    m_marks.assign(static_cast<std::size_t>(m_text.lineCount()), {});
    const auto within = [this](int line) { return line >= 1 && line <= m_text.lineCount(); };
    for (const SourceRegion &region : map().regions(m_file)) {
        if (region.kind == QLatin1String("worker") || region.kind == QLatin1String("job") || region.blocks.isEmpty())
            continue;
        const BlockView *block = m_editor.scene().block(region.blocks.constFirst());
        for (int line = region.firstLine; block && within(line) && line <= region.lastLine; ++line)
            m_marks[static_cast<std::size_t>(line - 1)].category = block->category;
    }
    for (const int line : map().linesOf(m_file, m_editor.selection().blocks()))
        if (within(line))
            m_marks[static_cast<std::size_t>(line - 1)].selected = true;
    for (const Problem &problem : m_editor.problemModel().problems())
        if (problem.file == m_file && within(problem.line)) {
            QString &said = m_marks[static_cast<std::size_t>(problem.line - 1)].problem;
            said += (said.isEmpty() ? QString() : QStringLiteral(" · ")) + problem.said;
        }
    emit marksChanged();
}

QString CodeController::region() const
{
    const SourceRegion *region = m_cursor < 0 ? nullptr : map().regionAt(m_file, m_cursor + 1);
    if (!region)
        return {};
    if (region->blocks.isEmpty())
        return region->name;
    const QString blocks = region->blocks.size() <= 3 ? region->blocks.join(QStringLiteral(", "))
                                                      : tr("%1 blocks").arg(region->blocks.size());
    return region->name == blocks ? blocks : tr("%1 · %2").arg(blocks, region->name);
}

void CodeController::pointAt(int line)
{
    m_cursor = std::clamp(line, 0, std::max(m_text.lineCount() - 1, 0));
    const SourceRegion *region = map().regionAt(m_file, m_cursor + 1);
    if (region && !region->blocks.isEmpty()) {
        m_pointing = true;
        QSet<QString> blocks;
        for (const QString &block : region->blocks)
            if (m_editor.scene().block(block))
                blocks.insert(block);
        m_editor.selection().set(blocks);
        m_pointing = false;
    }
    updateMarks();
}

void CodeController::followSelection()
{
    updateMarks();
    const QString block = m_editor.selection().onlyBlock();
    if (m_pointing || block.isEmpty() || m_files.rowCount() == 0)
        return;
    if (map().linesOf(m_file, {block}).empty() && !map().linesOf(kFlowgraph, {block}).empty())
        setFile(kFlowgraph);
    int line = map().declarationOf(m_file, block);
    if (line == 0) {
        const auto lines = map().linesOf(m_file, {block});
        line = lines.empty() ? 0 : lines.front();
    }
    if (line > 0)
        emit revealRequested(line - 1);
}

void CodeController::showBlock(const QString &block)
{
    if (const int line = map().declarationOf(kFlowgraph, block))
        showLine(kFlowgraph, line);
}

void CodeController::showLine(const QString &file, int line)
{
    if (!m_generator.files().contains(file)) {
        m_wantedFile = file;
        m_wantedLine = line;
        return;
    }
    setFile(file);
    m_cursor = std::clamp(line - 1, 0, std::max(m_text.lineCount() - 1, 0));
    emit marksChanged();
    emit revealRequested(m_cursor);
}

void CodeController::setQuery(const QString &query)
{
    m_query = query;
    m_match = -1;
    updateMatches();
    if (!m_matches.empty())
        nextMatch(1);
}

void CodeController::updateMatches()
{
    m_matches = m_text.find(m_query);
    m_match = std::min(m_match, matchCount() - 1);
    emit matchesChanged();
}

void CodeController::nextMatch(int step)
{
    if (m_matches.empty())
        return;
    if (m_match < 0) {
        // From where the reader is.
        const auto next = std::find_if(m_matches.begin(), m_matches.end(),
                                       [this](const TextMatch &match) { return match.line >= m_cursor; });
        m_match = next == m_matches.end() ? 0 : static_cast<int>(next - m_matches.begin());
    } else {
        m_match = (m_match + step + matchCount()) % matchCount();
    }
    emit matchesChanged();
    emit revealRequested(m_matches[static_cast<std::size_t>(m_match)].line);
}
