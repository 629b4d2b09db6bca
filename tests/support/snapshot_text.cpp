#include "tests/support/snapshot_text.h"

#include <nlohmann/json.hpp>

#include <sstream>
#include <vector>

namespace plimsoll::test {
namespace {

using Json = nlohmann::ordered_json;

std::vector<std::string> split(const std::string& text, char separator)
{
    std::vector<std::string> parts;
    std::istringstream stream(text);
    for (std::string part; std::getline(stream, part, separator);)
        parts.push_back(part);
    return parts;
}

Json framesOf(const std::string& stack)
{
    Json frames = Json::array();
    for (const std::string& frame : split(stack, '<')) {
        const auto parts = split(frame, ':');
        frames.push_back({{"filename", parts.at(0)}, {"line", std::stoll(parts.at(1))}, {"name", parts.at(2)}});
    }
    return frames;
}

class Maker
{
public:
    std::string run(std::string_view lines)
    {
        std::istringstream stream {std::string(lines)};
        for (std::string line; std::getline(stream, line);) {
            std::istringstream cells(line);
            std::vector<std::string> words;
            for (std::string word; cells >> word;)
                words.push_back(word);
            if (!words.empty()) take(words);
        }
        return m_made.dump();
    }

private:
    void take(const std::vector<std::string>& words)
    {
        const std::int64_t first = std::stoll(words.at(1));
        if (words.front() == "device") {
            m_device = first;
            return;
        }
        const std::int64_t second = std::stoll(words.at(2));
        Json entry = Json::object();
        for (std::size_t i = 3; i < words.size(); ++i)
            takeOption(words[i], entry);
        if (words.front() == "segment") {
            entry.update({{"device", m_device}, {"address", first}, {"total_size", second}, {"blocks", Json::array()}});
            m_made["segments"].push_back(entry);
        } else if (words.front() == "block") {
            entry.update({{"size", first}, {"requested_size", second}});
            m_made["segments"].back()["blocks"].push_back(entry);
        } else {
            entry.update({{"action", words.front()},
                          {words.front() == "oom" ? "device_free" : "addr", first},
                          {"size", second}});
            addEvent(entry);
        }
    }

    static void takeOption(const std::string& word, Json& entry)
    {
        if (word.starts_with("stream=")) {
            entry["stream"] = std::stoll(word.substr(7));
        } else if (word == "expandable") {
            entry["is_expandable"] = true;
        } else if (word.starts_with("@")) {
            entry["frames"] = framesOf(word.substr(1));
        } else {
            entry["state"] = word;
        }
    }

    void addEvent(const Json& event)
    {
        Json& traces = m_made["device_traces"];
        while (traces.size() <= static_cast<std::size_t>(m_device))
            traces.push_back(Json::array());
        traces[static_cast<std::size_t>(m_device)].push_back(event);
    }

    Json m_made = {{"segments", Json::array()}, {"device_traces", Json::array()}};
    std::int64_t m_device = 0;
};

} // namespace

std::string snapshotJson(std::string_view lines)
{
    return Maker().run(lines);
}

} // namespace plimsoll::test
