#pragma once

#include "core/base/progress.h"
#include "core/base/thrown.h"

#include <QObject>
#include <QString>
#include <QStringList>

#include <functional>
#include <memory>
#include <type_traits>

namespace plimsoll::app {

/// One worker thread for everything that would make the window wait. Of each tag only the newest request counts: an
/// older one is stopped, and what it still delivers is dropped. Results arrive on the thread that owns the runner.
class JobRunner : public QObject
{
    Q_OBJECT

public:
    explicit JobRunner(QObject* parent = nullptr);
    ~JobRunner() override; ///< Stops and waits for what is running.

    /// \p work runs on the worker, \p deliver with its result on the owner's thread. Of work that throws the result is
    /// an Error where it can be one, else empty.
    template <typename Work, typename Deliver>
    void start(const QString& tag, const QString& title, Work work, Deliver deliver)
    {
        enqueue(tag, title, [work = std::move(work), deliver = std::move(deliver)](const Context& context) {
            auto result = std::make_shared<decltype(work(context))>(resultOf(work, context));
            return Delivery([deliver, result] { deliver(std::move(*result)); });
        });
    }
    void cancel(const QString& tag);
    /// What the user means by stopping a job. One that can end early (see setEndsEarly) is asked to
    /// end and to keep what there is; another is cancelled.
    void stop(const QString& tag);
    /// On the owner's thread, in order; from any thread.
    void callOnOwner(std::function<void()> call);
    void setEndsEarly(const QString& tag) { m_endsEarly << tag; }
    [[nodiscard]] bool busy() const;
    [[nodiscard]] bool busy(const QString& tag) const;

Q_SIGNALS:
    void started(const QString& tag, const QString& title);
    void progressed(const QString& tag, const QString& stage, double fraction);
    void stopRequested(const QString& tag); ///< Of a job that ends early.
    void finished(const QString& tag);      ///< Delivered, cancelled or replaced and not started anew.
    void stopped(const QString& tag);       ///< Cancelled by stop(); behind finished().

private:
    template <typename Work>
    static auto resultOf(const Work& work, const Context& context) -> decltype(work(context))
    {
        using Outcome = decltype(work(context));
        try {
            return work(context);
        } catch (const std::exception& exception) {
            if constexpr (std::is_convertible_v<Error, Outcome>)
                return thrown(exception);
            else
                return Outcome {};
        }
    }

    using Delivery = std::function<void()>;
    using Task = std::function<Delivery(const Context&)>;
    void enqueue(const QString& tag, const QString& title, Task task);
    void deliver(const QString& tag, std::uint64_t ticket, const Delivery& delivery);
    void takeCall();

    QStringList m_endsEarly;
    struct Worker;
    std::unique_ptr<Worker> m_worker;
};

} // namespace plimsoll::app
