#pragma once

#include <QWidget>

class QFormLayout;
class QGridLayout;
class QLineEdit;

namespace plimsoll::app {

class Session;

/// For the destructor of a pane: a field that loses the focus because its pane goes still ends its editing, and would
/// call what is no pane any more.
void disconnectFields(QWidget& pane);

/// A group of fields for sizes that the file leaves open. Hidden while it has none.
class SizesPane : public QWidget
{
    Q_OBJECT

public:
    SizesPane(Session& session, const char* name, QWidget* parent);
    ~SizesPane() override { disconnectFields(*this); }

protected:
    /// Whether the fields are to be made again: they are kept while nothing changes.
    [[nodiscard]] bool takeAsked(const QStringList& asked);

    Session& m_session;

private:
    QStringList m_asked;
};

/// A field for the shape of each input of which the file says none: without it most values have no size.
class ShapesPane : public SizesPane
{
    Q_OBJECT

public:
    explicit ShapesPane(Session& session, QWidget* parent = nullptr);

private:
    void refresh();
    void addField(const QString& input);
    void take(QLineEdit* field, const QString& input);

    QFormLayout* m_rows;
};

/// The symbolic dimensions of the graph and the sizes they were given. Assumed ones say so.
class DimensionsPane : public SizesPane
{
    Q_OBJECT

public:
    explicit DimensionsPane(Session& session, QWidget* parent = nullptr);

private:
    void refresh();

    QGridLayout* m_grid;
};

/// How many elements or rows sparse values keep at most: those of the caller, and those without a bound yet. To take a
/// bound back is to leave it to the file.
class BoundsPane : public SizesPane
{
    Q_OBJECT

public:
    explicit BoundsPane(Session& session, QWidget* parent = nullptr);

private:
    void refresh();

    QGridLayout* m_grid;
};

} // namespace plimsoll::app
