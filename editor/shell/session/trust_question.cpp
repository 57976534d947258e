#include "shell/session/trust_question.h"

#include "core/document/document.h"

#include <QStringList>

#include <algorithm>
#include <utility>

namespace weir::editor {

TrustQuestion::TrustQuestion(Document& document, QObject* parent) : QObject(parent), m_document(document) {
    connect(&document, &Document::replaced, this, [this] { answer(false); });
}

QString TrustQuestion::code() const {
    const Json& project = m_document.json();
    const Json& blocks = list(member(object(member(object(member(project, "gnuradio")), "flowgraph")), "blocks"));
    const auto count = [&blocks](std::initializer_list<const char*> ids) {
        return static_cast<int>(std::count_if(blocks.begin(), blocks.end(), [&ids](const Json& block) {
            const std::string id = text(member(block, "id"));
            return std::any_of(ids.begin(), ids.end(), [&id](const char* other) { return id == other; });
        }));
    };
    QStringList parts;
    if (const int n = count({"epy_block", "epy_module"})) parts.append(tr("%n embedded Python block(s)", nullptr, n));
    if (const int n = count({"import"})) parts.append(tr("%n import(s)", nullptr, n));
    if (const int n = count({"snippet"})) parts.append(tr("%n snippet(s) of Python", nullptr, n));
    return parts.join(QStringLiteral(" · "));
}

bool TrustQuestion::ask(const Json& answer, std::function<void()> again) {
    const Json& problems = list(member(answer, "diagnostics"));
    if (std::none_of(problems.begin(), problems.end(),
                     [](const Json& problem) { return text(member(problem, "code")) == "E_UNTRUSTED"; }))
        return false;
    m_again = std::move(again);
    emit changed();
    return true;
}

void TrustQuestion::answer(bool trusts) {
    const auto again = std::exchange(m_again, {});
    if (!again) return;
    emit changed();
    if (trusts) again();
}

} // namespace weir::editor
