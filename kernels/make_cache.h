// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/result/error.h"

#include <cstddef>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>

namespace coalescope::kernels {

/// Values by key, each made once: who wants one that another thread is making waits for it.
///
/// The least recently used go when all together exceed the limit. What failed is not kept, and is
/// tried again: a compiler may have been installed. Thread-safe.
template <class Value> class MakeCache {
public:
    using Pointer = std::shared_ptr<const Value>;

    /// `bytesOf` says what a value takes; keys are added to it.
    MakeCache(std::size_t limitBytes, std::size_t (*bytesOf)(const Value&))
        : m_limitBytes(limitBytes)
        , m_bytesOf(bytesOf)
    {
    }

    /// `make` gives a Result<Value>. `fresh` is set where it was called.
    template <class Make> Result<Pointer> get(const std::string& key, bool& fresh, Make make)
    {
        const std::shared_ptr<Slot> slot = slotOf(key);
        const std::scoped_lock lock(slot->mutex);
        fresh = !slot->value;
        if (fresh) {
            auto value = make();
            if (!value) {
                drop(key, slot);
                return std::unexpected(std::move(value.error()));
            }
            slot->value = std::make_shared<const Value>(*std::move(value));
            charge(key, slot);
        }
        return slot->value;
    }

    /// The value where it was made before; null otherwise, and while it is being made.
    Pointer find(const std::string& key)
    {
        const std::scoped_lock lock(m_mutex);
        const auto entry = m_slots.find(key);
        if (entry == m_slots.end() || entry->second->bytes == 0)
            return {};
        m_recent.splice(m_recent.begin(), m_recent, entry->second->place);
        return entry->second->value;
    }

private:
    struct Slot {
        std::mutex mutex; ///< held while the value is made
        Pointer value;
        std::size_t bytes = 0; ///< 0: not charged yet
        std::list<const std::string*>::iterator place;
    };

    std::shared_ptr<Slot> slotOf(const std::string& key)
    {
        const std::scoped_lock lock(m_mutex);
        const auto [entry, isNew] = m_slots.try_emplace(key);
        if (isNew) {
            entry->second = std::make_shared<Slot>();
            entry->second->place = m_recent.insert(m_recent.begin(), &entry->first);
        } else {
            m_recent.splice(m_recent.begin(), m_recent, entry->second->place);
        }
        return entry->second;
    }

    void charge(const std::string& key, const std::shared_ptr<Slot>& slot)
    {
        const std::scoped_lock lock(m_mutex);
        const auto found = m_slots.find(key);
        if (found == m_slots.end() || found->second != slot)
            return; // pushed out while it was made
        slot->bytes = key.size() + m_bytesOf(*slot->value) + sizeof(Slot);
        m_bytes += slot->bytes;
        while (m_bytes > m_limitBytes && m_recent.size() > 1)
            erase(m_slots.find(*m_recent.back()));
    }

    void drop(const std::string& key, const std::shared_ptr<Slot>& slot)
    {
        const std::scoped_lock lock(m_mutex);
        if (const auto found = m_slots.find(key); found != m_slots.end() && found->second == slot)
            erase(found);
    }

    using Slots = std::unordered_map<std::string, std::shared_ptr<Slot>>;
    void erase(typename Slots::iterator entry)
    {
        m_bytes -= entry->second->bytes;
        m_recent.erase(entry->second->place);
        m_slots.erase(entry);
    }

    const std::size_t m_limitBytes;
    std::size_t (*const m_bytesOf)(const Value&);
    std::mutex m_mutex;
    Slots m_slots;
    std::list<const std::string*> m_recent; ///< keys, the most recently used first
    std::size_t m_bytes = 0;
};

} // namespace coalescope::kernels
