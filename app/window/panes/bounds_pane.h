#pragma once

#include <QWidget>

class QGridLayout;

namespace plimsoll {
struct Value;
}

namespace plimsoll::app {

class Session;

/// How many elements or rows sparse values keep at most: those of the caller, and those without a bound yet. To
/// take a bound back is to leave it to the file.
class BoundsPane : public QWidget
{
    Q_OBJECT

public:
    explicit BoundsPane(Session& session, QWidget* parent = nullptr);
    ~BoundsPane() override;

private:
    void refresh();
    void clear();
    int addRows(const Value& value, int row); ///< The row after it.

    Session& m_session;
    QGridLayout* m_grid;
    QStringList m_shown; ///< Name and bound, to keep the fields while nothing changes.
};

} // namespace plimsoll::app
