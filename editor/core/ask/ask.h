#pragma once

#include "core/ask/cli_command.h"

#include <QObject>
#include <QPointer>
#include <QString>
#include <QTimer>

#include <optional>

namespace weir::editor {

/// One question to the command line that is asked again and again as things change: only the last asking counts, and only
/// as long as it is still about how things stand.
class Ask : public QObject {
    Q_OBJECT

  public:
    struct Spec {
        /// Key of the present question: an answer to another key is not delivered.
        std::function<QString()> key;
        std::function<CliRequest()> request;
        std::function<void(const CliAnswer&)> answered;
        /// Changes come in rows, and each would start a process: so long after the last one it is asked.
        std::chrono::milliseconds delay{0};
        /// An answer came, and things had changed without a word; as a rule it is asked again.
        std::function<void()> late = {};
    };

    Ask(const CliCommand& command, Spec spec, QObject* owner);
    /// Ends the question under way, before the folder goes into which it writes.
    ~Ask() override;

    /// While it is not active nothing is asked, and nothing is under way: nobody looks.
    void setActive(bool active);
    bool isActive() const { return m_active; }
    /// A question waits for its delay, or is under way.
    bool isBusy() const { return isAsking() || m_delay.isActive(); }
    bool isAsking() const { return m_process; }
    /// True if the last answer belongs to the present key. A failed answer counts too.
    bool isUpToDate() const { return m_answered == m_spec.key(); }

    /// Things may have changed. The first question is asked at once, others after the delay; none if there is no need.
    void refresh();
    /// At once, also where the last answer is about the same.
    void now();
    /// True if no question is under way and no answer came yet.
    void forget();

  signals:
    void stateChanged();

  private:
    void stop();
    void receive(const CliAnswer& answer);

    const CliCommand m_command;
    const Spec m_spec;
    QTimer m_delay;
    QPointer<ChildProcess> m_process;
    QString m_asked;  ///< the key of what is under way
    std::optional<QString> m_answered;
    bool m_active = true;
};

}  // namespace weir::editor
