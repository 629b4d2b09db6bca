#pragma once

#include "app/models/policy_values_model.h"

#include <QHash>
#include <QList>
#include <QScrollArea>
#include <QSet>

class QLabel;
class QLineEdit;
class QToolButton;
class QVBoxLayout;

namespace plimsoll::app {

class PolicyBox;
class Session;

/// The policies, those first that matter for this plan: what lowers the peak, what changes anything, fields; what makes
/// no difference is folded away. A choice re-plans at once. Symbolic dimensions and the bounds of sparse values stand
/// above.
class PoliciesPane : public QScrollArea
{
    Q_OBJECT

public:
    PoliciesPane(Session& session, PolicyCosts& costs, QWidget* parent = nullptr);
    ~PoliciesPane() override;

protected:
    void leaveEvent(QEvent* event) override;

private:
    void addBoxes(Session& session, PolicyCosts& costs);
    void addSections();
    void order();
    [[nodiscard]] PolicySection placeOf(const PolicyBox* box);
    void reveal(QWidget* complaint);

    QVBoxLayout* m_page = nullptr;
    QLineEdit* m_search = nullptr;
    QLabel* m_none = nullptr;  ///< Says that no policy is found.
    QList<PolicyBox*> m_boxes; ///< As in policyTable().
    QHash<PolicySection, QToolButton*> m_sections;
    QSet<PolicySection> m_folded;
    QHash<PolicyBox*, bool> m_opened;                ///< Those that the user opened or closed.
    QHash<const PolicyBox*, PolicySection> m_places; ///< Where each stands.
};

} // namespace plimsoll::app
