#include "app/window/panes/policies_pane.h"

#include "app/models/window_text.h"
#include "app/session/policy_costs.h"
#include "app/session/session.h"
#include "app/window/look/labels.h"
#include "app/window/look/theme.h"
#include "app/window/panes/size_panes.h"
#include "core/facts/words/policy_effect.h"

#include <QButtonGroup>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QRadioButton>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace plimsoll::app {

PoliciesPane::PoliciesPane(Session& session, PolicyCosts& costs, QWidget* parent)
    : QScrollArea(parent), m_session(session), m_costs(costs)
{
    setFrameShape(QFrame::NoFrame);
    setWidgetResizable(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setFocusPolicy(Qt::NoFocus); // its contents take the keyboard, and are scrolled to
    auto* page = new QWidget(this);
    auto* rows = new QVBoxLayout(page);
    rows->setContentsMargins(12, 10, 20, 12);
    rows->setSpacing(14);
    rows->addWidget(new ShapesPane(session, page));
    rows->addWidget(new DimensionsPane(session, page));
    rows->addWidget(new BoundsPane(session, page));
    for (const PolicyInfo& policy : policyTable())
        rows->addWidget(makeGroup(policy));
    rows->addStretch(1);
    setWidget(page);
    connect(&session, &Session::choicesChanged, this, &PoliciesPane::showChoices);
    connect(&session, &Session::reportChanged, this, &PoliciesPane::showCosts);
    connect(&costs, &PolicyCosts::changed, this, &PoliciesPane::showCosts);
    showChoices();
}

PoliciesPane::~PoliciesPane()
{
    disconnectFields(*this);
}

QWidget* PoliciesPane::makeGroup(const PolicyInfo& policy)
{
    auto* box = new QWidget(this);
    const QString id = toQString(policy.id);
    box->setObjectName(QStringLiteral("policy:") + id);
    auto* rows = new QVBoxLayout(box);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setSpacing(3);
    rows->addWidget(titleLabel(toQString(policy.title), box));
    Group group {.policy = &policy, .box = box};
    group.meaning = new QLabel(toQString(policy.meaning), box);
    group.meaning->setWordWrap(true);
    group.meaning->setForegroundRole(QPalette::PlaceholderText);
    rows->addWidget(group.meaning);
    group.onlyWith = new QLabel(box);
    group.onlyWith->setObjectName(id + QStringLiteral(":onlyWith"));
    group.onlyWith->setWordWrap(true);
    group.onlyWith->hide();
    rows->addWidget(group.onlyWith);
    if (policy.values.empty())
        addField(group, rows);
    else
        addChoices(group, rows);
    m_groups << group;
    return box;
}

void PoliciesPane::addChoices(Group& group, QVBoxLayout* rows)
{
    const QString id = toQString(group.policy->id);
    group.model = new PolicyValuesModel(*group.policy, this);
    auto* exclusive = new QButtonGroup(this);
    for (int i = 0; i < group.model->rowCount(); ++i) {
        const QModelIndex index = group.model->index(i);
        ChoiceRow choice {index.data(PolicyValuesModel::ValueRole).toString(), new QRadioButton(this),
                          new QLabel(this)};
        const QString meaning = index.data(Qt::ToolTipRole).toString();
        choice.button->setText(choice.value);
        choice.button->setObjectName(id + u'=' + choice.value);
        choice.button->setAccessibleName(toQString(group.policy->title) + QStringLiteral(": ") + choice.value);
        choice.button->setToolTip(meaning);
        choice.button->setStatusTip(meaning);
        choice.cost->setToolTip(tr("Peak under this value, against the plan shown; where bytes of the caller change "
                                   "too, what changes in all"));
        choice.cost->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
        exclusive->addButton(choice.button);
        connect(choice.button, &QRadioButton::clicked, this, [this, id, value = choice.value] {
            if (m_session.setPolicy(id, value).ok()) showChoices();
        });
        auto* row = new QHBoxLayout;
        row->addWidget(choice.button, 1);
        row->addWidget(choice.cost);
        rows->addLayout(row);
        group.rows << choice;
    }
}

void PoliciesPane::addField(Group& group, QVBoxLayout* rows)
{
    group.field = new QLineEdit(this);
    const QString id = toQString(group.policy->id);
    group.field->setObjectName(id);
    group.field->setAccessibleName(id);
    group.complaint = new QLabel(this);
    group.complaint->setObjectName(id + QStringLiteral(":complaint"));
    group.complaint->setWordWrap(true);
    group.complaint->setForegroundRole(QPalette::BrightText);
    group.complaint->hide();
    connect(group.field, &QLineEdit::editingFinished, this, [this, field = group.field] {
        for (Group& each : m_groups)
            if (each.field == field && field->isModified()) enter(each);
    });
    rows->addWidget(group.field);
    rows->addWidget(group.complaint);
}

void PoliciesPane::enter(Group& group)
{
    const QString typed = group.field->text().trimmed();
    group.field->setModified(false);
    const QString before = std::exchange(group.typed, typed);
    const Status accepted = m_session.setPolicy(toQString(group.policy->id), typed);
    complain(group, accepted.ok() ? QString() : windowText(accepted.error().message));
    if (!accepted.ok()) group.typed = before;
    if (accepted.ok()) showChoices();
}

/// What is said stands beneath the field, which may be the last that is seen.
void PoliciesPane::complain(const Group& group, const QString& text)
{
    group.complaint->setText(text);
    group.complaint->setVisible(!text.isEmpty());
    if (text.isEmpty()) return;
    widget()->layout()->activate();
    QTimer::singleShot(0, this, [this, complaint = group.complaint] { ensureWidgetVisible(complaint, 0, 12); });
}

void PoliciesPane::showChoices()
{
    for (Group& group : m_groups) {
        showWhetherItCounts(group);
        const QString chosen = toQString(policyValue(m_session.choices().policies, group.policy->id));
        for (const ChoiceRow& row : group.rows)
            row.button->setChecked(row.value == chosen);
        if (!group.field) continue;
        showField(group, chosen);
    }
    const auto first = std::find_if(m_groups.begin(), m_groups.end(), [](const Group& group) { return group.model; });
    for (const ChoiceRow& row : first->rows)
        if (row.button->isChecked()) setFocusProxy(row.button);
}

/// A choice that nothing looks at cannot be made: its title stays, and says why.
void PoliciesPane::showWhetherItCounts(const Group& group)
{
    const Policies& chosen = m_session.choices().policies;
    const auto report = m_session.report();
    Message why = report ? whyWithoutEffect(report->program, chosen, *group.policy) : Message();
    if (!report && !hasEffect(chosen, *group.policy)) why = onlyWith(*group.policy);
    group.box->setEnabled(why.empty());
    group.onlyWith->setText(tr("Without effect: %1.").arg(windowText(why)));
    group.onlyWith->setVisible(!why.empty());
    group.meaning->setVisible(why.empty());
    for (const ChoiceRow& row : group.rows) {
        row.button->setVisible(why.empty());
        row.cost->setVisible(why.empty());
    }
    if (group.field) group.field->setVisible(why.empty());
    if (group.complaint && !why.empty()) group.complaint->hide();
}

/// As it was typed, where that is what was chosen; sizes in units, where the policy takes them.
void PoliciesPane::showField(Group& group, const QString& chosen)
{
    const auto means = [&](const QString& typed) {
        Policies asked;
        return !typed.isEmpty() && setPolicy(asked, group.policy->id, typed.toStdString()).ok() &&
               toQString(policyValue(asked, group.policy->id)) == chosen;
    };
    const QString sizes = shortSizesText(chosen);
    const QString text = means(group.typed) ? group.typed : means(sizes) ? sizes : chosen;
    if (group.field->text() == text) return;
    group.field->setText(text);
    group.field->setModified(false);
    complain(group, {});
}

void PoliciesPane::showCosts()
{
    const auto report = m_session.report();
    for (const Group& group : m_groups) {
        showWhetherItCounts(group);
        if (!group.model) continue;
        group.model->setCosts(m_costs.planAtOnce().value_or(PlanCost()), [&](const QString& value) {
            return m_costs.costOf({group.policy->id, value.toStdString()});
        });
        for (const ChoiceRow& row : group.rows) {
            const QModelIndex index = group.model->index(group.model->rowOf(row.value));
            const bool shown = report && !row.button->isChecked() && group.rows.size() > 1 && group.box->isEnabled();
            row.cost->setText(shown ? index.data(PolicyValuesModel::CostTextRole).toString() : QString());
            const bool same = index.data(PolicyValuesModel::DeltaRole).toLongLong() == 0 &&
                              index.data(PolicyValuesModel::TotalDeltaRole).toLongLong() == 0;
            row.cost->setForegroundRole(same ? QPalette::PlaceholderText : QPalette::WindowText);
        }
    }
}

} // namespace plimsoll::app
