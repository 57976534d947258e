#include "core/ask/ask.h"

namespace weir::editor {

Ask::Ask(const CliCommand& command, Spec spec, QObject* owner)
    : QObject(owner), m_command(command), m_spec(std::move(spec)) {
    m_delay.setSingleShot(true);
    m_delay.setInterval(m_spec.delay);
    connect(&m_delay, &QTimer::timeout, this, &Ask::now);
}

Ask::~Ask() { delete m_process; }

void Ask::setActive(bool active) {
    if (m_active == active) return;
    m_active = active;
    if (active && !isUpToDate()) now();
    else if (!active) stop();
    emit stateChanged();
}

void Ask::refresh() {
    if (m_active && !isUpToDate() && !(isAsking() && m_runningKey == m_spec.key())) {
        if (!m_answered && !isBusy()) return now();
        stop();
        m_delay.start();
    }
    emit stateChanged();
}

void Ask::now() {
    stop();
    m_runningKey = m_spec.key();
    m_process = callCli(m_command, m_spec.request(), this, [this](const CliAnswer& answer) { receive(answer); });
    emit stateChanged();
}

void Ask::forget() {
    stop();
    m_answered.reset();
    emit stateChanged();
}

void Ask::stop() {
    m_delay.stop();
    abandonCall(m_process);
}

void Ask::receive(const CliAnswer& answer) {
    m_process.clear();
    if (m_runningKey == m_spec.key()) {
        m_answered = m_runningKey;
        m_spec.answered(answer);
    } else if (m_spec.late) {
        m_spec.late();
    } else {
        refresh();
    }
    emit stateChanged();
}

} // namespace weir::editor
