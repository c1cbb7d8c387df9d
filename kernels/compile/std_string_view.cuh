// SPDX-License-Identifier: Apache-2.0
// What structures that kernels use say of themselves, in std: `static constexpr std::string_view name = "half"`. Laid out as libstdc++ does.
#pragma once

#include <stddef.h>

namespace std {
class string_view {
public:
    constexpr string_view() = default;
    __device__ constexpr string_view(const char* text, size_t size)
        : m_size(size)
        , m_text(text)
    {
    }
    __device__ constexpr string_view(const char* text)
        : m_text(text)
    {
        while (text[m_size] != '\0')
            ++m_size;
    }
    __device__ constexpr const char* data() const { return m_text; }
    __device__ constexpr size_t size() const { return m_size; }
    __device__ constexpr size_t length() const { return m_size; }
    __device__ constexpr bool empty() const { return m_size == 0; }
    __device__ constexpr const char& operator[](size_t at) const { return m_text[at]; }
    __device__ constexpr const char* begin() const { return m_text; }
    __device__ constexpr const char* end() const { return m_text + m_size; }

private:
    size_t m_size = 0;
    const char* m_text = nullptr;
};
}
