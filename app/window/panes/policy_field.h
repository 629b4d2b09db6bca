#pragma once

#include <QWidget>

class QLabel;
class QLineEdit;

namespace plimsoll {
struct PolicyInfo;
}

namespace plimsoll::app {

class Session;

/// A field for a policy without a list of values. What is wrong with what was typed stands beneath it.
class PolicyField : public QWidget
{
    Q_OBJECT

public:
    PolicyField(const PolicyInfo& policy, Session& session, QWidget* parent);

    /// As it was typed, where that is what was chosen; sizes in units, where the policy takes them.
    void showChoice();

Q_SIGNALS:
    void complained(QWidget* complaint);

private:
    void enter();
    void complain(const QString& text);
    [[nodiscard]] bool means(const QString& typed, const QString& chosen) const;

    const PolicyInfo& m_policy;
    Session& m_session;
    QLineEdit* m_field;
    QLabel* m_complaint;
    QString m_typed; ///< As it was accepted.
};

} // namespace plimsoll::app
