#include "app/window/panes/policy_field.h"

#include "app/models/window_text.h"
#include "app/session/session.h"
#include "app/window/look/fields.h"

#include <QLabel>
#include <QLineEdit>
#include <QVBoxLayout>

#include <utility>

namespace plimsoll::app {

PolicyField::PolicyField(const PolicyInfo& policy, Session& session, QWidget* parent)
    : QWidget(parent), m_policy(policy), m_session(session), m_field(new QLineEdit(this)), m_complaint(new QLabel(this))
{
    const QString id = toQString(policy.id);
    m_field->setObjectName(id);
    m_field->setAccessibleName(id);
    leaveUndoToWindow(m_field);
    m_complaint->setObjectName(id + QStringLiteral(":complaint"));
    m_complaint->setWordWrap(true);
    m_complaint->setForegroundRole(QPalette::BrightText);
    m_complaint->hide();
    auto* rows = new QVBoxLayout(this);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setSpacing(3);
    rows->addWidget(m_field);
    rows->addWidget(m_complaint);
    connect(m_field, &QLineEdit::editingFinished, this, [this] {
        if (m_field->isModified()) enter();
    });
}

void PolicyField::enter()
{
    const QString typed = m_field->text().trimmed();
    m_field->setModified(false);
    const QString before = std::exchange(m_typed, typed);
    const Status accepted = m_session.setPolicy(toQString(m_policy.id), typed);
    complain(accepted.ok() ? QString() : windowText(accepted.error().message));
    if (!accepted.ok()) m_typed = before;
    if (accepted.ok()) showChoice();
}

void PolicyField::complain(const QString& text)
{
    m_complaint->setText(text);
    m_complaint->setVisible(!text.isEmpty());
    if (!text.isEmpty()) Q_EMIT complained(m_complaint);
}

bool PolicyField::means(const QString& typed, const QString& chosen) const
{
    Policies asked;
    return !typed.isEmpty() && setPolicy(asked, m_policy.id, typed.toStdString()).ok() &&
           toQString(policyValue(asked, m_policy.id)) == chosen;
}

void PolicyField::showChoice()
{
    const QString chosen = toQString(policyValue(m_session.choices().policies, m_policy.id));
    const QString sizes = shortSizesText(chosen);
    const QString text = means(m_typed, chosen) ? m_typed : means(sizes, chosen) ? sizes : chosen;
    if (m_field->text() == text) return;
    m_field->setText(text);
    m_field->setModified(false);
    complain({});
}

} // namespace plimsoll::app
