#pragma once

#include "app/session/session.h"

namespace plimsoll::app {

class Log;
class MainWindow;

/// All that is open in this program, as one page of it sees them. A window by itself, as of pictures, has none.
class Documents
{
public:
    virtual ~Documents() = default;

    /// Where the file is open already, else in the page that is shown if nothing is open there, else in a new one.
    virtual MainWindow& open(const QString& file, const Choices& choices, const QString& plan) = 0;
    virtual void add() = 0; ///< A page with nothing open.
    /// With what is open in it; of the only page, that alone.
    virtual void closePage(MainWindow& page) = 0;
    virtual void go(int by) = 0;                ///< From the page that is shown to another one.
    virtual void shareSettings() = 0;           ///< A page has changed some: all of them take them.
    [[nodiscard]] virtual Log& log() const = 0; ///< One of all pages.
};

} // namespace plimsoll::app
