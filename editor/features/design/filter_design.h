#pragma once

#include "core/ask/ask.h"
#include "core/rows/fact.h"
#include "features/design/design_answer.h"
#include "features/design/design_fields.h"
#include "shell/fields/parameter_model.h"
#include "shell/session/session.h"

#include <QtQml/qqmlregistration.h>
#include <QObject>
#include <QPointer>

#include <map>
#include <memory>
#include <optional>

namespace weir::editor {

/// The design of the selected block's taps: its fields, the response, and whether the taps still match. The command
/// line computes the taps. One step writes a changed design with its taps.
class FilterDesign : public QObject {
    Q_OBJECT
    QML_ELEMENT

    Q_PROPERTY(weir::editor::Session* session READ session WRITE setSession NOTIFY sessionChanged REQUIRED)
    /// True while the pane is visible; otherwise nothing is requested.
    Q_PROPERTY(bool active READ isActive WRITE setActive NOTIFY activeChanged)
    /// True if a single block is selected and it has taps.
    Q_PROPERTY(bool possible READ isPossible NOTIFY changed)
    Q_PROPERTY(State state READ state NOTIFY changed)
    Q_PROPERTY(bool asking READ isAsking NOTIFY changed)
    Q_PROPERTY(QAbstractItemModel* fields READ fields CONSTANT)
    Q_PROPERTY(QString summary READ summary NOTIFY changed)
    Q_PROPERTY(QAbstractItemModel* facts READ facts CONSTANT)
    /// True if the shown design gives a filter.
    Q_PROPERTY(bool sound READ isSound NOTIFY changed)
    /// Reason why there is no design, if the reason belongs to no field.
    Q_PROPERTY(QString problem READ problem NOTIFY changed)

  public:
    /// Taps by hand; a proposed design; a design that gives the taps; a design that no longer does.
    enum State { Plain, Proposed, Kept, Changed };
    Q_ENUM(State)

    explicit FilterDesign(QObject* parent = nullptr);

    Session* session() const { return m_session; }
    void setSession(Session* session);
    bool isActive() const { return m_active; }
    void setActive(bool active);
    bool isPossible() const { return m_place.has_value(); }
    State state() const;
    bool isAsking() const;
    bool isSound() const { return m_reply.faults.fields.empty() && m_reply.faults.other.isEmpty(); }
    QAbstractItemModel* fields() { return &m_fields; }
    QString summary() const;
    QAbstractItemModel* facts() { return &m_facts; }
    QString problem() const { return m_reply.faults.other; }
    const std::optional<DesignAnswer>& answer() const { return m_reply.answer; }

    /// Show the fields of a new design. The project does not change.
    Q_INVOKABLE void propose();
    Q_INVOKABLE void discard();
    /// Replace the taps of the block by those of the shown design.
    Q_INVOKABLE void apply();
    /// Remove the design and keep the taps.
    Q_INVOKABLE void forget();
    Q_INVOKABLE void commit(int row, const QString& typed);
    /// Return a field to the value in the project.
    Q_INVOKABLE void revert(int row);

  signals:
    void sessionChanged();
    void activeChanged();
    void changed();

  private:
    /// Typed values that are not in the project. They are valid as long as the project has `base`.
    struct Draft {
        Json base, entry;
    };
    /// Computation of a design's taps for the project. It continues when another block is selected.
    struct Job {
        Json base, entry;
        std::unique_ptr<Ask> ask;
    };

    std::optional<DesignPlace> selectedPlace() const;
    Json storedEntry(const DesignPlace& place) const;
    /// Return the draft, else the project's design; null without either.
    Json shownEntry() const;
    Json taps(const DesignPlace& place) const;
    CliRequest question(const DesignPlace& place, const Json& entry) const;
    bool isComputing() const; ///< whether the taps of the shown design are being computed for the project
    void update();
    /// Say that a proposal is kept but not used, when the user leaves it.
    void tellOfUnused();
    void showFields();
    void showFacts();
    void start(const DesignPlace& place, const Json& base, const Json& entry);
    void finish(const DesignPlace& place, const CliAnswer& answer);
    void show(DesignReply reply);

    QPointer<Session> m_session;
    bool m_active = false;
    std::optional<DesignPlace> m_place;
    std::map<std::string, Draft> m_drafts; ///< by the name of the design, like `m_jobs`
    std::map<std::string, Job> m_jobs;
    std::unique_ptr<Ask> m_ask; ///< about the shown design
    DesignReply m_reply;
    ParameterModel m_fields;
    FactModel m_facts;
};

} // namespace weir::editor
