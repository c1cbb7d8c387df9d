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

} // namespace coalescope::kernels::host
