#include "tests/support/pickle_bytes.h"

#include <nlohmann/json.hpp>

#include <bit>
#include <cstdint>
#include <map>

namespace plimsoll::test {
namespace {

using Json = nlohmann::ordered_json;

class Writer
{
public:
    explicit Writer(int protocol) : m_protocol(protocol) {}

    std::string run(const Json& json)
    {
        write(json);
        m_body += '.';
        std::string made = {'\x80', static_cast<char>(m_protocol)};
        if (m_protocol == 4) made += '\x95' + little(m_body.size(), 8);
        return made + m_body;
    }

private:
    static std::string little(std::uint64_t number, std::size_t bytes)
    {
        std::string made;
        for (std::size_t i = 0; i < bytes; ++i)
            made += static_cast<char>(number >> (8 * i) & 0xFF);
        return made;
    }

    void write(const Json& json)
    {
        if (json.is_null()) m_body += 'N';
        if (json.is_boolean()) m_body += json.get<bool>() ? '\x88' : '\x89';
        if (json.is_number_integer()) writeInteger(json.get<std::int64_t>());
        if (json.is_number_float()) writeReal(json.get<double>());
        if (json.is_string()) writeText(json.get<std::string>());
        if (json.is_array()) writeList(json);
        if (json.is_object()) writeDict(json);
    }

    void writeInteger(std::int64_t number)
    {
        const auto bits = static_cast<std::uint64_t>(number);
        if (number >= 0 && number < 256) {
            m_body += 'K' + little(bits, 1);
        } else if (number >= 0 && number < 65536) {
            m_body += 'M' + little(bits, 2);
        } else if (number == static_cast<std::int32_t>(number)) {
            m_body += 'J' + little(bits, 4);
        } else {
            m_body += "\x8A\x08" + little(bits, 8);
        }
    }

    void writeReal(double number)
    {
        std::string bytes = little(std::bit_cast<std::uint64_t>(number), 8);
        m_body += 'G' + std::string(bytes.rbegin(), bytes.rend());
    }

    void writeText(const std::string& text)
    {
        const auto known = m_texts.find(text);
        if (known != m_texts.end()) {
            m_body += known->second < 256 ? 'h' + little(known->second, 1) : 'j' + little(known->second, 4);
            return;
        }
        const bool isShort = m_protocol == 4 && text.size() < 256;
        m_body += (isShort ? '\x8C' + little(text.size(), 1) : 'X' + little(text.size(), 4)) + text;
        m_texts[text] = memoize();
    }

    std::uint64_t memoize()
    {
        const std::uint64_t place = m_memos++;
        if (m_protocol == 4) {
            m_body += '\x94';
        } else {
            m_body += place < 256 ? 'q' + little(place, 1) : 'r' + little(place, 4);
        }
        return place;
    }

    void writeList(const Json& json)
    {
        m_body += ']';
        memoize();
        m_body += '(';
        for (const Json& element : json)
            write(element);
        m_body += 'e';
    }

    void writeDict(const Json& json)
    {
        m_body += '}';
        memoize();
        m_body += '(';
        for (const auto& [key, value] : json.items()) {
            writeText(key);
            write(value);
        }
        m_body += 'u';
    }

    int m_protocol;
    std::string m_body;
    std::map<std::string, std::uint64_t> m_texts;
    std::uint64_t m_memos = 0;
};

} // namespace

std::string pickleOf(std::string_view json, int protocol)
{
    return Writer(protocol).run(Json::parse(json));
}

} // namespace plimsoll::test
