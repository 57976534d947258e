#pragma once

#include "core/rows/row_model.h"
#include "core/text/line_difference.h"
#include "features/code/code_generator.h"
#include "features/code/code_text.h"

#include <QtQml/qqmlregistration.h>
#include <QAbstractItemModel>
#include <QHash>
#include <QObject>

#include <functional>
#include <vector>

namespace weir::editor {

class Session;

/// A file of the generated project.
struct CodeFile {
    Q_GADGET
    Q_PROPERTY(QString path MEMBER path)
    Q_PROPERTY(QString name MEMBER name)
    Q_PROPERTY(QString heading MEMBER heading)
    Q_PROPERTY(bool differs MEMBER differs)

  public:
    QString path;
    QString name;
    QString heading; ///< title of its group, for the first file; else empty
    bool differs;    ///< true if another deployment's file differs

    bool operator==(const CodeFile&) const = default;
};

/// The generated code in the view: one file, the lines of the selected blocks, the matches. In a comparison, the lines
/// that only the other deployment has are shown between the others.
class CodeController : public QObject {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("a property of Editor")

    Q_PROPERTY(bool active READ isActive WRITE setActive NOTIFY stateChanged)
    Q_PROPERTY(bool busy READ isBusy NOTIFY stateChanged)
    Q_PROPERTY(bool upToDate READ isUpToDate NOTIFY stateChanged)
    Q_PROPERTY(QString failure READ failure NOTIFY stateChanged)
    Q_PROPERTY(QUrl folder READ folder NOTIFY stateChanged)
    /// The deployments to compare with, and the one that is compared.
    Q_PROPERTY(QStringList others READ others NOTIFY othersChanged)
    Q_PROPERTY(QString comparedWith READ comparedWith WRITE setComparedWith NOTIFY othersChanged)
    Q_PROPERTY(int added READ added NOTIFY textChanged)
    Q_PROPERTY(int removed READ removed NOTIFY textChanged)
    Q_PROPERTY(QAbstractItemModel* files READ files CONSTANT)
    Q_PROPERTY(QString file READ file WRITE setFile NOTIFY fileChanged)
    Q_PROPERTY(int lineCount READ lineCount NOTIFY textChanged)
    Q_PROPERTY(QString region READ region NOTIFY marksChanged)
    /// Number of places in the shown file that come from the selection: declarations, calls and list entries.
    Q_PROPERTY(int places READ places NOTIFY marksChanged)
    Q_PROPERTY(QString query READ query WRITE setQuery NOTIFY matchesChanged)
    Q_PROPERTY(int matchCount READ matchCount NOTIFY matchesChanged)
    Q_PROPERTY(int match READ match NOTIFY matchesChanged)

  public:
    struct LineMark {
        bool selected = false;
        QString category;  ///< category of the only block that the line comes from; empty if there are several
        QString problem;  ///< the compiler's message about it
        QChar sign;  ///< '+' or '-' if the other deployment differs
        int number = 0;  ///< line number in the file, from 1; 0 if only the other deployment has the line
    };

    explicit CodeController(Session& session, QObject* parent = nullptr);

    bool isActive() const { return m_generator.isActive(); }
    void setActive(bool active);
    bool isBusy() const { return m_generator.isBusy() || (isComparing() && m_otherGenerator.isBusy()); }
    bool isUpToDate() const { return m_generator.isUpToDate(); }
    QString failure() const;
    QStringList others() const;
    QString comparedWith() const { return m_other; }
    void setComparedWith(const QString& deployment);
    bool isComparing() const { return !m_other.isEmpty(); }
    int added() const { return countOf(DifferenceLine::Kind::Added); }
    int removed() const { return countOf(DifferenceLine::Kind::Removed); }
    QUrl folder() const;
    QAbstractItemModel* files() { return &m_files; }
    QString file() const { return m_file; }
    void setFile(const QString& file);
    int lineCount() const { return m_text.lineCount(); }
    /// Return the owner of the line under the cursor, in words.
    QString region() const;
    QString query() const { return m_query; }
    void setQuery(const QString& query);
    int matchCount() const { return static_cast<int>(m_matches.size()); }
    int match() const { return m_match; }

    const CodeText& text() const { return m_text; }
    const SourceMap& map() const { return m_generator.map(); }
    const LineMark& mark(int line) const;
    const std::vector<TextMatch>& matches() const { return m_matches; }
    int cursorLine() const { return m_cursor; }

    /// Select the block that a line (from 0) comes from.
    void pointAt(int line);
    Q_INVOKABLE void generateNow() { m_generator.generateNow(); }
    /// Show a line (from 1) of a file as soon as there is code.
    Q_INVOKABLE void showLine(const QString& file, int line);
    /// Go to the next difference; after the last, to the first.
    Q_INVOKABLE void nextDifference();
    int places() const;
    Q_INVOKABLE void nextPlace();
    /// Go to the next or previous match.
    Q_INVOKABLE void nextMatch(int step);

  signals:
    void stateChanged();
    void othersChanged();
    void fileChanged();
    void textChanged();
    void marksChanged();
    void matchesChanged();
    /// Emitted to show this line (from 0) in the view.
    void revealRequested(int line);

  private:
    void registerActions();
    void receive();
    void followDeployments();
    void loadText();
    void compareFiles();
    int countOf(DifferenceLine::Kind kind) const;
    /// Return the shown line (from 0) of a line (from 1) of the file, or -1.
    int shownLine(int number) const;
    int lastLine() const { return static_cast<int>(m_shown.size()); }
    void updateMarks();
    bool beginsPlace(int line) const;
    /// Go to the next line after the cursor that satisfies `isIt`, wrapping at the end of the file.
    void goToNext(const std::function<bool(int)>& isIt);
    void updateMatches();
    void followSelection();

    Session& m_session;
    CodeGenerator m_generator;
    CodeGenerator m_otherGenerator;
    QString m_other;  ///< the deployment to compare with; empty: none
    RowModel<CodeFile> m_files;
    QString m_file;
    QString m_failure;
    CodeText m_text;
    std::vector<DifferenceLine> m_difference;  ///< lines of the shown file and the compared one; empty: no comparison
    std::vector<int> m_shown;  ///< index in the view of each line of the file
    std::vector<LineMark> m_marks;
    QString m_wantedFile;  ///< to show once the code arrives
    int m_wantedLine = 0;
    QString m_query;
    std::vector<TextMatch> m_matches;
    int m_match = -1;
    int m_cursor = -1;
    bool m_pointing = false;
};

}  // namespace weir::editor
