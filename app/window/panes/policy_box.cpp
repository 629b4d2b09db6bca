#include "app/window/panes/policy_box.h"

#include "app/models/window_text.h"
#include "app/session/policy_costs.h"
#include "app/session/session.h"
#include "app/window/look/labels.h"
#include "app/window/panes/policy_field.h"
#include "core/facts/words/policy_effect.h"

#include <QButtonGroup>
#include <QEvent>
#include <QHBoxLayout>
#include <QRadioButton>
#include <QToolButton>
#include <QVBoxLayout>

namespace plimsoll::app {

PolicyBox::PolicyBox(const PolicyInfo& policy, Session& session, QWidget* parent)
    : QWidget(parent), m_policy(policy), m_session(session)
{
    QVBoxLayout* rows = addHeader();
    const QString id = toQString(policy.id);
    m_meaning = new QLabel(translated(policy.meaning), m_body);
    m_meaning->setWordWrap(true);
    m_meaning->setForegroundRole(QPalette::PlaceholderText);
    m_onlyWith = new QLabel(m_body);
    m_onlyWith->setObjectName(id + QStringLiteral(":onlyWith"));
    m_onlyWith->setWordWrap(true);
    m_onlyWith->hide();
    rows->addWidget(m_meaning);
    rows->addWidget(m_onlyWith);
    if (policy.values.empty()) {
        m_field = new PolicyField(policy, session, m_body);
        rows->addWidget(m_field);
        connect(m_field, &PolicyField::complained, this, &PolicyBox::complained);
    } else {
        addChoices(rows);
    }
    setOpen(false);
}

QVBoxLayout* PolicyBox::addHeader()
{
    const QString id = toQString(m_policy.id);
    m_header = new QToolButton(this);
    m_header->setObjectName(id + QStringLiteral(":header"));
    m_header->setText(translated(m_policy.title));
    m_header->setToolTip(translated(m_policy.meaning));
    m_header->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_header->setAutoRaise(true);
    m_header->setFont(boldFont(m_header->font()));
    m_chosen = new ElidedLabel(QString(), this); // what is best may take a sentence
    m_chosen->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    m_chosen->setObjectName(id + QStringLiteral(":chosen"));
    m_saved = new QLabel(this);
    m_saved->setObjectName(id + QStringLiteral(":saved"));
    m_body = new QWidget(this);
    m_body->setObjectName(QStringLiteral("policy:") + id);
    connect(m_header, &QToolButton::clicked, this, [this] {
        setOpen(m_body->isHidden());
        Q_EMIT opened(!m_body->isHidden());
    });
    auto* line = new QHBoxLayout;
    line->setSpacing(6);
    line->addWidget(m_header);
    line->addWidget(m_chosen, 1);
    line->addWidget(m_saved);
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(12, 0, 0, 0);
    all->setSpacing(3);
    all->addLayout(line);
    all->addWidget(m_body);
    auto* rows = new QVBoxLayout(m_body);
    rows->setContentsMargins(20, 0, 0, 6);
    rows->setSpacing(3);
    return rows;
}

void PolicyBox::addChoices(QVBoxLayout* rows)
{
    const QString id = toQString(m_policy.id);
    m_model = new PolicyValuesModel(m_policy, this);
    auto* exclusive = new QButtonGroup(this);
    for (int i = 0; i < m_model->rowCount(); ++i) {
        const QModelIndex index = m_model->index(i);
        ChoiceRow choice {index.data(PolicyValuesModel::ValueRole).toString(), new QRadioButton(m_body),
                          new QLabel(m_body)};
        const QString meaning = index.data(Qt::ToolTipRole).toString();
        choice.button->setText(choice.value);
        choice.button->setObjectName(id + u'=' + choice.value);
        choice.button->setAccessibleName(translated(m_policy.title) + QStringLiteral(": ") + choice.value);
        choice.button->setToolTip(meaning);
        choice.button->setStatusTip(meaning);
        choice.cost->setToolTip(tr("The peak under this value, against the plan shown, and every other figure that "
                                   "would be another: bytes of arenas and caller in all, tensors saved for the "
                                   "backward graph, estimated time, nodes that run"));
        choice.cost->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
        exclusive->addButton(choice.button);
        connect(choice.button, &QRadioButton::clicked, this, [this, id, value = choice.value] {
            if (m_session.setPolicy(id, value).ok()) showChoice();
        });
        auto* row = new QHBoxLayout;
        row->addWidget(choice.button, 1);
        row->addWidget(choice.cost);
        rows->addLayout(row);
        m_rows << choice;
    }
}

bool PolicyBox::says(const QString& word) const
{
    const auto has = [&](std::string_view text) { return translated(text).contains(word, Qt::CaseInsensitive); };
    return has(m_policy.id) || has(m_policy.title) || has(m_policy.meaning) ||
           std::ranges::any_of(m_policy.values, has) || std::ranges::any_of(m_policy.valueMeanings, has);
}

void PolicyBox::setOpen(bool open)
{
    m_header->setArrowType(open ? Qt::DownArrow : Qt::RightArrow);
    m_header->setAccessibleDescription(open ? tr("open") : tr("closed"));
    m_body->setVisible(open);
    showHeader();
}

void PolicyBox::showChoice()
{
    showWhetherItCounts();
    const QString chosen = toQString(policyValue(m_session.choices().policies, m_policy.id));
    for (const ChoiceRow& row : m_rows)
        row.button->setChecked(row.value == chosen);
    if (m_field) m_field->showChoice();
    showHeader();
}

/// A choice that nothing looks at cannot be made: its title stays, and says why.
void PolicyBox::showWhetherItCounts()
{
    const Policies& chosen = m_session.choices().policies;
    const auto report = m_session.report();
    Message why = report ? whyWithoutEffect(report->program, chosen, m_policy) : Message();
    if (!report && !hasEffect(chosen, m_policy)) why = onlyWith(m_policy);
    const bool counts = why.empty();
    m_body->setEnabled(counts);
    m_onlyWith->setText(tr("Without effect: %1.").arg(windowText(why)));
    m_onlyWith->setVisible(!counts);
    m_meaning->setVisible(counts);
    for (const ChoiceRow& row : m_rows) {
        row.button->setVisible(counts);
        row.cost->setVisible(counts);
    }
    if (m_field) m_field->setVisible(counts);
    if (!counts)
        m_section = PolicySection::Idle;
    else if (m_field)
        m_section = PolicySection::Limits;
    else if (m_section == PolicySection::Idle)
        m_section = PolicySection::Untried;
}

/// What was seen under the plan before stays until all is tried again.
void PolicyBox::showCosts(const PolicyCosts& costs)
{
    if (m_model) {
        m_model->setCosts(costs.planAtOnce().value_or(PlanCost()), [&](const QString& value) {
            return costs.costOf({m_policy.id, value.toStdString()});
        });
        const PolicySection seen = m_model->section();
        if (m_section != PolicySection::Idle && seen != PolicySection::Untried) m_section = seen;
    }
    showCostTexts();
}

void PolicyBox::showCostTexts()
{
    for (const ChoiceRow& row : m_rows) {
        const QModelIndex index = m_model->index(m_model->rowOf(row.value));
        const bool shown = m_session.report() && !row.button->isChecked() && m_body->isEnabled();
        row.cost->setText(shown ? index.data(PolicyValuesModel::CostTextRole).toString() : QString());
        row.button->setAccessibleDescription(row.cost->text());
        const bool differs = index.data(PolicyValuesModel::DiffersRole).toBool();
        row.cost->setForegroundRole(differs ? QPalette::WindowText : QPalette::PlaceholderText);
    }
    showHeader();
}

void PolicyBox::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::LanguageChange) showCostTexts();
}

/// Closed, it says what would be saved; a choice that is not the default is not muted.
void PolicyBox::showHeader()
{
    const std::string chosen = policyValue(m_session.choices().policies, m_policy.id);
    const bool told = m_model && m_body->isEnabled() && m_body->isHidden();
    const auto [best, saved] = told ? m_model->best() : std::pair<QString, QString>();
    const QString value = shortSizesText(toQString(chosen));
    const QString names = best.isEmpty() ? value : value + QStringLiteral("  ·  ") + best;
    const QString whole = QString(names + u' ' + saved).trimmed();
    m_chosen->setText(names);
    m_saved->setText(saved);
    m_saved->setVisible(!saved.isEmpty());
    m_chosen->setToolTip(whole);
    m_chosen->setForegroundRole(chosen == policyValue(Policies(), m_policy.id) ? QPalette::PlaceholderText
                                                                               : QPalette::WindowText);
    m_header->setAccessibleName(translated(m_policy.title) + QStringLiteral(": ") + whole);
}

} // namespace plimsoll::app
