#pragma once

#include "core/ask/cli_command.h"

#include <QObject>
#include <QPointer>
#include <QString>
#include <QTimer>

#include <optional>

namespace weir::editor {

/// A question to the command line that is repeated as things change. Only the answer to the last request counts, and
/// only while its key is still the present one.
class Ask : public QObject {
    Q_OBJECT

  public:
    struct Spec {
        /// Key of the present state: an answer for another key is not delivered.
        std::function<QString()> key;
        std::function<CliRequest()> request;
        std::function<void(const CliAnswer&)> answered;
        /// Time from the last change to the request. Changes come in bursts, and each request starts a process.
        std::chrono::milliseconds delay{0};
        /// Called when an answer arrives whose key changed without `refresh`; normally requests it again.
        std::function<void()> late = {};
    };

    Ask(const CliCommand& command, Spec spec, QObject* owner);
    /// Ends the running request before the folder that it writes to is deleted.
    ~Ask() override;

    /// While inactive, requests nothing and ends the running request: no view shows the answer.
    void setActive(bool active);
    bool isActive() const { return m_active; }
    /// True if a request waits for its delay or is running.
    bool isBusy() const { return isAsking() || m_delay.isActive(); }
    bool isAsking() const { return m_process; }
    /// True if the last answer belongs to the present key. A failed answer counts, too.
    bool isUpToDate() const { return m_answered == m_spec.key(); }

    /// Call after a possible change. The first request starts at once, later ones after the delay; none if the answer
    /// is up to date.
    void refresh();
    /// Requests at once, even if the last answer has the same key.
    void now();
    /// Drops the running request and the last answer.
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
    QString m_runningKey;  ///< key of the running request
    std::optional<QString> m_answered;
    bool m_active = true;
};

}  // namespace weir::editor
