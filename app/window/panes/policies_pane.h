#pragma once

#include "app/models/policy_values_model.h"

#include <QHash>
#include <QList>
#include <QScrollArea>

class QLabel;
class QLineEdit;
class QRadioButton;
class QVBoxLayout;

namespace plimsoll::app {

class PolicyCosts;
class Session;

/// One group for each policy of policyTable(): its values with the bytes each would cost, or a field. A choice re-plans
/// at once. Symbolic dimensions and the bounds of sparse values stand above.
class PoliciesPane : public QScrollArea
{
    Q_OBJECT

public:
    PoliciesPane(Session& session, PolicyCosts& costs, QWidget* parent = nullptr);
    ~PoliciesPane() override;

private:
    struct ChoiceRow
    {
        QString value;
        QRadioButton* button = nullptr;
        QLabel* cost = nullptr;
    };
    struct Group
    {
        const PolicyInfo* policy = nullptr;
        QWidget* box = nullptr;
        QLabel* meaning = nullptr;
        QLabel* onlyWith = nullptr;         ///< Says why the box is disabled, and stands alone then.
        PolicyValuesModel* model = nullptr; ///< Null for a field.
        QList<ChoiceRow> rows;
        QLineEdit* field = nullptr;
        QLabel* complaint = nullptr;
        QString typed; ///< In the field, as it was accepted.
    };
    QWidget* makeGroup(const PolicyInfo& policy);
    void addChoices(Group& group, QVBoxLayout* rows);
    void addField(Group& group, QVBoxLayout* rows);
    void enter(Group& group);
    void complain(const Group& group, const QString& text);
    void showChoices();
    void showField(Group& group, const QString& chosen);
    void showWhetherItCounts(const Group& group);
    void showCosts();

    Session& m_session;
    PolicyCosts& m_costs;
    QList<Group> m_groups;
};

} // namespace plimsoll::app
