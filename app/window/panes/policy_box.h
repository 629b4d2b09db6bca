#pragma once

#include "app/models/policy_values_model.h"

#include <QList>
#include <QWidget>

class QLabel;
class QRadioButton;
class QToolButton;
class QVBoxLayout;

namespace plimsoll::app {

class PolicyCosts;
class PolicyField;
class Session;

/// One policy of policyTable(): a line with its title and what is chosen, and beneath it, where it is open, its values
/// with what each would cost, or a field.
class PolicyBox : public QWidget
{
    Q_OBJECT

public:
    PolicyBox(const PolicyInfo& policy, Session& session, QWidget* parent);

    [[nodiscard]] PolicySection section() const { return m_section; }
    /// Whether one of its texts has the word; in any case.
    [[nodiscard]] bool says(const QString& word) const;
    void setOpen(bool open);
    void showChoice();
    void showCosts(const PolicyCosts& costs);
    /// Of another graph: what it can do is to be seen anew.
    void forget() { m_section = PolicySection::Untried; }

Q_SIGNALS:
    void opened(bool open); ///< By the user.
    void complained(QWidget* complaint);

protected:
    void changeEvent(QEvent* event) override; ///< Numbers may read in another way.

private:
    struct ChoiceRow
    {
        QString value;
        QRadioButton* button = nullptr;
        QLabel* cost = nullptr;
    };
    QVBoxLayout* addHeader();
    void addChoices(QVBoxLayout* rows);
    void showWhetherItCounts();
    void showCostTexts();
    void showHeader();

    const PolicyInfo& m_policy;
    Session& m_session;
    PolicySection m_section = PolicySection::Untried;
    QToolButton* m_header = nullptr;
    QLabel* m_chosen = nullptr;
    QLabel* m_saved = nullptr; ///< Never cut, as the names before it are.
    QWidget* m_body = nullptr;
    QLabel* m_meaning = nullptr;
    QLabel* m_onlyWith = nullptr;         ///< Says why the body is disabled, and stands alone then.
    PolicyValuesModel* m_model = nullptr; ///< Null for a field.
    QList<ChoiceRow> m_rows;
    PolicyField* m_field = nullptr;
};

} // namespace plimsoll::app
