// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/host/values.h"

namespace coalescope::kernels::host {

/// std::shuffle and its kin ask a generator for numbers.
template <class Use> bool withEngine(const std::shared_ptr<Engine>& engine, Use use)
{
    return engine && std::visit(
        [&]<class Held>(Held& held) {
            if constexpr (requires { typename Held::result_type; Held::min(); held(); }) {
                use(held);
                return true;
            }
            return false;
        },
        *engine);
}

/// What std::uniform_int_distribution and its kin draw from numbers.
template <class Use> void withDistribution(const std::shared_ptr<Engine>& engine, Use use)
{
    if (engine)
        std::visit(
            [&]<class Held>(Held& held) {
                if constexpr (requires { typename Held::param_type; })
                    use(held);
            },
            *engine);
}

/// By its name: what it draws where no type is given is an int.
[[nodiscard]] bool isOfIntegers(std::string_view distribution);

} // namespace coalescope::kernels::host
