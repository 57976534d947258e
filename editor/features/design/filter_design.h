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

/// The design of the selected block's taps: fields, what the taps do, and whether they are still the design's. The
/// command line computes; a change of a design writes it and its taps as one step.
class FilterDesign : public QObject {
    Q_OBJECT
    QML_ELEMENT

    Q_PROPERTY(weir::editor::Session* session READ session WRITE setSession NOTIFY sessionChanged REQUIRED)
    /// Somebody looks: while nobody does, nothing is asked.
    Q_PROPERTY(bool active READ isActive WRITE setActive NOTIFY activeChanged)
    /// One block is selected, and it has taps.
    Q_PROPERTY(bool possible READ isPossible NOTIFY changed)
    Q_PROPERTY(State state READ state NOTIFY changed)
    Q_PROPERTY(bool asking READ isAsking NOTIFY changed)
    Q_PROPERTY(QAbstractItemModel* fields READ fields CONSTANT)
    Q_PROPERTY(QString summary READ summary NOTIFY changed)
    Q_PROPERTY(QAbstractItemModel* facts READ facts CONSTANT)
    /// There is a filter of what is shown.
    Q_PROPERTY(bool sound READ isSound NOTIFY changed)
    /// Reason why there is no design, if it belongs to no field.
    Q_PROPERTY(QString problem READ problem NOTIFY changed)

  public:
    /// Taps by hand; a design that was not applied yet; one that gives the taps; one that does not any more.
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

    /// Fields for taps that have no design; nothing of the project changes.
    Q_INVOKABLE void propose();
    Q_INVOKABLE void discard();
    /// Replace the taps of the block by those of the design that is shown.
    Q_INVOKABLE void apply();
    /// The taps stay, and are by hand from now on.
    Q_INVOKABLE void forget();
    Q_INVOKABLE void commit(int row, const QString& typed);
    /// Back to what the project has.
    Q_INVOKABLE void revert(int row);

  signals:
    void sessionChanged();
    void activeChanged();
    void changed();

  private:
    /// Typed values that are not in the project; they hold while the project has `base`.
    struct Draft {
        Json base, entry;
    };
    /// A design whose taps are being computed, for the project; also while another block is selected.
    struct Job {
        Json base, entry;
        std::unique_ptr<Ask> ask;
    };

    std::optional<DesignPlace> selectedPlace() const;
    Json storedEntry(const DesignPlace& place) const;
    /// The draft, else what the project has; null without either.
    Json shownEntry() const;
    Json taps(const DesignPlace& place) const;
    CliRequest question(const DesignPlace& place, const Json& entry) const;
    bool isComputing() const; ///< the taps of what is shown, for the project
    void update();
    /// A proposal that is left is kept, and goes into no run.
    void tellOfUnused();
    void showFields();
    /// Measurements of the taps.
    void showFacts();
    void start(const DesignPlace& place, const Json& base, const Json& entry);
    void finish(const DesignPlace& place, const CliAnswer& answer);
    void show(DesignReply reply);

    QPointer<Session> m_session;
    bool m_active = false;
    std::optional<DesignPlace> m_place;
    std::map<std::string, Draft> m_drafts; ///< by the name of the design, as are the jobs
    std::map<std::string, Job> m_jobs;
    std::unique_ptr<Ask> m_ask; ///< about what is shown
    DesignReply m_reply;
    ParameterModel m_fields;
    FactModel m_facts;
};

} // namespace weir::editor
