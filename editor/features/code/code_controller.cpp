#include "features/code/code_controller.h"

#include "shell/session/session.h"

#include <QUrl>

#include <algorithm>
#include <utility>

namespace weir::editor {
namespace {

const QString kFlowgraph = QStringLiteral("src/flowgraph.hpp");

QString titleOf(FileGroup group) {
    switch (group) {
        case FileGroup::Generated: return CodeController::tr("Generated");
        case FileGroup::Blocks: return CodeController::tr("Blocks");
        case FileGroup::Scheduler: return CodeController::tr("Scheduler");
        case FileGroup::Runtime: return CodeController::tr("Runtime");
    }
    return {};
}

} // namespace

CodeController::CodeController(Session& session, QObject* parent)
    : QObject(parent), m_session(session),
      m_generator(session.command(), session.document(), [&session] { return session.deployment(); }),
      m_otherGenerator(session.command(), session.document(), [this] { return m_other; }), m_file(kFlowgraph) {
    connect(&m_generator, &CodeGenerator::stateChanged, this, &CodeController::stateChanged);
    connect(&m_generator, &CodeGenerator::generated, this, &CodeController::receive);
    connect(&m_otherGenerator, &CodeGenerator::stateChanged, this, &CodeController::stateChanged);
    connect(&m_otherGenerator, &CodeGenerator::generated, this, &CodeController::compareFiles);
    connect(&session, &Session::deploymentsChanged, &m_generator, &CodeGenerator::refresh);
    connect(&session, &Session::deploymentsChanged, this, &CodeController::followDeployments);
    connect(&session.selection(), &Selection::changed, this, &CodeController::followSelection);
    connect(&session.problemModel(), &ProblemModel::countChanged, this, &CodeController::updateMarks);
    connect(&session, &Session::catalogChanged, this, &CodeController::updateMarks);
    registerActions();
}

void CodeController::registerActions() {
    Actions& actions = m_session.actions();
    actions.add({.id = QStringLiteral("run.generate"),
                 .group = ActionGroup::Run,
                 .title = tr("Generate and show the code"),
                 .shortcuts = {QStringLiteral("F5")},
                 .run = [this] {
                     m_session.setView(QStringLiteral("code"));
                     generateNow();
                 }});
    actions.add({.id = QStringLiteral("code.find"),
                 .group = ActionGroup::Run,
                 .title = tr("Find in the code"),
                 .enabled = [this] { return m_session.view() == QLatin1String("code"); }});
    actions.add({.id = QStringLiteral("code.next_place"),
                 .group = ActionGroup::Run,
                 .title = tr("Next lines of the selected block"),
                 .shortcuts = {QStringLiteral("F4")},
                 .enabled = [this] { return m_session.view() == QLatin1String("code") && places() > 0; },
                 .run = [this] { nextPlace(); }});
}

QUrl CodeController::folder() const {
    return m_generator.folder().isEmpty() ? QUrl() : QUrl::fromLocalFile(m_generator.folder());
}

QString CodeController::failure() const {
    return !m_failure.isEmpty()               ? m_failure
           : !m_generator.failure().isEmpty() ? m_generator.failure()
           : isComparing()                    ? m_otherGenerator.failure()
                                              : QString();
}

void CodeController::setActive(bool active) {
    m_generator.setActive(active);
    m_otherGenerator.setActive(active && isComparing());
}

QStringList CodeController::others() const {
    QStringList names = m_session.deployments();
    names.removeAll(m_session.deployment());
    return names;
}

void CodeController::setComparedWith(const QString& deployment) {
    if (deployment == m_other) return;
    m_other = others().contains(deployment) ? deployment : QString();
    m_otherGenerator.setActive(isActive() && isComparing());
    emit othersChanged();
    compareFiles();
}

void CodeController::followDeployments() {
    if (isComparing() && !others().contains(m_other)) setComparedWith({});
    emit othersChanged();
}

void CodeController::compareFiles() {
    std::vector<CodeFile> files;
    std::optional<FileGroup> before;
    // Ignore an outdated answer.
    const bool compares = isComparing() && m_otherGenerator.isUpToDate();
    for (const QString& file : m_generator.files()) {
        const FileGroup group = groupOf(file);
        const bool differs = compares && (!m_otherGenerator.files().contains(file) ||
                                          m_otherGenerator.text(file) != m_generator.text(file));
        files.push_back({file, file.section(u'/', -1), group == before ? QString() : titleOf(group), differs});
        before = group;
    }
    m_files.setRows(std::move(files));
    loadText();
}

int CodeController::countOf(DifferenceLine::Kind kind) const {
    return static_cast<int>(std::count_if(m_difference.begin(), m_difference.end(),
                                          [kind](const DifferenceLine& line) { return line.kind == kind; }));
}

int CodeController::shownLine(int number) const {
    return number >= 1 && number <= lastLine() ? m_shown[static_cast<std::size_t>(number - 1)] : -1;
}

void CodeController::receive() {
    const bool first = m_files.rowCount() == 0;
    if (!m_generator.files().contains(m_file)) {
        m_file = m_generator.files().contains(kFlowgraph) ? kFlowgraph : m_generator.files().value(0);
        emit fileChanged();
    }
    compareFiles();
    if (!m_wantedFile.isEmpty()) showLine(std::exchange(m_wantedFile, {}), m_wantedLine);
    else if (first) followSelection();
}

void CodeController::setFile(const QString& file) {
    if (file == m_file || !m_generator.files().contains(file)) return;
    m_file = file;
    m_cursor = -1;
    emit fileChanged();
    loadText();
    emit revealRequested(0);
}

void CodeController::loadText() {
    m_failure.clear();
    QString text = m_generator.text(m_file, &m_failure);
    m_difference.clear();
    if (isComparing() && m_otherGenerator.isUpToDate()) {
        const bool shared = m_otherGenerator.files().contains(m_file);
        m_difference = lineDifference(shared ? m_otherGenerator.text(m_file) : QString(), text, -1);
    }
    if (!m_difference.empty()) {
        QStringList lines;
        for (const DifferenceLine& line : m_difference) lines.append(line.text);
        text = lines.join(u'\n');
    }
    m_text = CodeText(text, languageOf(m_file));
    m_shown.clear();
    for (int line = 0; line < m_text.lineCount(); ++line)
        if (m_difference.empty() || m_difference[static_cast<std::size_t>(line)].kind != DifferenceLine::Kind::Removed)
            m_shown.push_back(line);
    m_cursor = std::min(m_cursor, m_text.lineCount() - 1);
    emit textChanged();
    if (!m_failure.isEmpty()) emit stateChanged();
    updateMarks();
    updateMatches();
}

const CodeController::LineMark& CodeController::mark(int line) const {
    static const LineMark none;
    return line >= 0 && line < static_cast<int>(m_marks.size()) ? m_marks[static_cast<std::size_t>(line)] : none;
}

void CodeController::updateMarks() {
    m_marks.assign(static_cast<std::size_t>(m_text.lineCount()), {});
    for (int number = 1; number <= lastLine(); ++number)
        m_marks[static_cast<std::size_t>(shownLine(number))].number = number;
    for (std::size_t line = 0; line < std::min(m_difference.size(), m_marks.size()); ++line)
        m_marks[line].sign = m_difference[line].kind == DifferenceLine::Kind::Added     ? u'+'
                             : m_difference[line].kind == DifferenceLine::Kind::Removed ? u'\u2212'
                                                                                        : QChar();
    const auto markOf = [this](int number) {
        const int line = shownLine(number);
        return line < 0 ? nullptr : &m_marks[static_cast<std::size_t>(line)];
    };
    for (const SourceRegion& region : map().regions(m_file)) {
        if (region.isOfSeveral() || region.blocks.isEmpty()) continue;
        const BlockView* block = m_session.scene().block(region.blocks.constFirst());
        for (int line = region.firstLine; block && line <= region.lastLine; ++line)
            if (LineMark* mark = markOf(line)) mark->category = block->category;
    }
    for (const int line : map().linesOf(m_file, m_session.selection().blocks()))
        if (LineMark* mark = markOf(line)) mark->selected = true;
    for (const Problem& problem : m_session.problemModel().problems())
        if (LineMark* mark = problem.file == m_file ? markOf(problem.line) : nullptr)
            mark->problem += (mark->problem.isEmpty() ? QString() : QStringLiteral(" · ")) + problem.said;
    emit marksChanged();
}

QString CodeController::region() const {
    const int number = mark(m_cursor).number;
    const SourceRegion* region = number < 1 ? nullptr : map().regionAt(m_file, number);
    if (!region) return {};
    if (region->blocks.isEmpty()) return region->name;
    const QString blocks = region->blocks.size() <= 3
                               ? region->blocks.join(QStringLiteral(", "))
                               : tr("%n block(s)", nullptr, static_cast<int>(region->blocks.size()));
    return region->name == blocks ? blocks : tr("%1 · %2").arg(blocks, region->name);
}

void CodeController::pointAt(int line) {
    m_cursor = std::clamp(line, 0, std::max(m_text.lineCount() - 1, 0));
    const int number = mark(m_cursor).number;
    const SourceRegion* region = number < 1 ? nullptr : map().regionAt(m_file, number);
    if (region && !region->blocks.isEmpty()) {
        m_pointing = true;
        QSet<QString> blocks;
        for (const QString& block : region->blocks)
            if (m_session.scene().block(block)) blocks.insert(block);
        m_session.selection().set(blocks);
        m_pointing = false;
    }
    updateMarks();
}

void CodeController::followSelection() {
    updateMarks();
    const QString block = m_session.selection().onlyBlock();
    if (m_pointing || block.isEmpty() || m_files.rowCount() == 0) return;
    if (map().linesOf(m_file, {block}).empty() && !map().linesOf(kFlowgraph, {block}).empty()) setFile(kFlowgraph);
    int line = map().declarationOf(m_file, block);
    if (line == 0) {
        const auto lines = map().linesOf(m_file, {block});
        line = lines.empty() ? 0 : lines.front();
    }
    if (const int shown = shownLine(line); shown >= 0) emit revealRequested(shown);
}

void CodeController::showLine(const QString& file, int line) {
    if (!m_generator.files().contains(file)) {
        m_wantedFile = file;
        m_wantedLine = line;
        return;
    }
    setFile(file);
    m_cursor = std::max(shownLine(std::clamp(line, 1, std::max(lastLine(), 1))), 0);
    emit marksChanged();
    emit revealRequested(m_cursor);
}

void CodeController::goToNext(const std::function<bool(int)>& isIt) {
    const int count = static_cast<int>(m_marks.size());
    for (int step = 1; step <= count; ++step)
        if (const int line = (std::max(m_cursor, -1) + step + count) % count; isIt(line)) {
            m_cursor = line;
            emit marksChanged();
            emit revealRequested(line);
            return;
        }
}

void CodeController::nextDifference() {
    goToNext([this](int line) { return !mark(line).sign.isNull() && (line == 0 || mark(line - 1).sign.isNull()); });
}

bool CodeController::beginsPlace(int line) const {
    return mark(line).selected && (line == 0 || !mark(line - 1).selected);
}

int CodeController::places() const {
    int found = 0;
    for (int line = 0; line < static_cast<int>(m_marks.size()); ++line) found += beginsPlace(line);
    return found;
}

void CodeController::nextPlace() {
    goToNext([this](int line) { return beginsPlace(line); });
}

void CodeController::setQuery(const QString& query) {
    m_query = query;
    m_match = -1;
    updateMatches();
    if (!m_matches.empty()) nextMatch(1);
}

void CodeController::updateMatches() {
    m_matches = m_text.find(m_query);
    m_match = std::min(m_match, matchCount() - 1);
    emit matchesChanged();
}

void CodeController::nextMatch(int step) {
    if (m_matches.empty()) return;
    if (m_match < 0) {
        // Start from the reader's position.
        const auto next = std::find_if(m_matches.begin(), m_matches.end(),
                                       [this](const TextMatch& match) { return match.line >= m_cursor; });
        m_match = next == m_matches.end() ? 0 : static_cast<int>(next - m_matches.begin());
    } else {
        m_match = (m_match + step + matchCount()) % matchCount();
    }
    emit matchesChanged();
    emit revealRequested(m_matches[static_cast<std::size_t>(m_match)].line);
}

} // namespace weir::editor
