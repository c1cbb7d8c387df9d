// SPDX-License-Identifier: Apache-2.0
#include "kernels/catalogue/element_type.h"

namespace coalescope::kernels {

const ElementTypeInfo& infoOf(ElementType type)
{
    return kElementTypes[std::size_t(type)];
}

int bytesOf(ElementType type)
{
    return infoOf(type).bytes;
}

std::string_view nameOf(ElementType type)
{
    return infoOf(type).name;
}

std::optional<ElementType> elementTypeNamed(std::string_view name)
{
    for (const ElementTypeInfo& info : kElementTypes) {
        if (info.name == name)
            return info.type;
    }
    return std::nullopt;
}

} // namespace coalescope::kernels
