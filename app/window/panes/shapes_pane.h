#pragma once

#include <QWidget>

class QFormLayout;
class QLineEdit;

namespace plimsoll::app {

class Session;

/// A field for the shape of each input of which the file says none: without it most values have no size.
class ShapesPane : public QWidget
{
    Q_OBJECT

public:
    explicit ShapesPane(Session& session, QWidget* parent = nullptr);
    ~ShapesPane() override;

private:
    void refresh();
    void addField(const QString& input);
    void take(QLineEdit* field, const QString& input);

    Session& m_session;
    QFormLayout* m_rows;
    QStringList m_shown; ///< The inputs that have a field.
};

} // namespace plimsoll::app
