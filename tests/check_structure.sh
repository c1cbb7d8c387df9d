#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Dependencies point one way (app -> kernels -> analysis), and every source names its licence.
set -u
cd "${1:?give the project folder}"
failed=0

forbid() { # SENTENCE PATTERN FOLDER...
    local sentence=$1 pattern=$2 hits
    shift 2
    hits=$(grep -rnE --include='*.h' --include='*.cpp' "$pattern" "$@" 2>/dev/null)
    if [ -n "$hits" ]; then
        printf '%s:\n%s\n' "$sentence" "$hits"
        failed=1
    fi
}

forbid 'analysis knows neither kernels nor app' '#include *"(kernels|app)/' analysis
forbid 'analysis knows neither Qt nor CUDA nor files' '#include *[<"](Q[A-Z]|cuda|cupti|nvrtc|fstream|filesystem)' analysis
forbid 'kernels does not know app' '#include *"app/' kernels
forbid 'kernels and app/cli know no Qt' '#include *[<"](Q[A-Z]|qcustomplot|Qsci)' kernels app/cli
forbid 'app/cli does not know the window' '#include *"app/(core|views|widgets)/' app/cli

without=$(find analysis kernels app tests \( -name '*.cpp' -o -name '*.h' -o -name '*.cu' -o -name '*.cuh' -o -name '*.sh' \
    -o -name CMakeLists.txt -o -name '*.cmake' \) -exec grep -L SPDX-License-Identifier {} +)
if [ -n "$without" ]; then
    printf 'no SPDX line:\n%s\n' "$without"
    failed=1
fi
wrong=$(grep -rlE --include='*.h' --include='*.cpp' 'SPDX-License-Identifier: GPL' analysis kernels app/cli)
wrong+=$(find app/core app/views app/widgets -name '*.cpp' -exec grep -L 'SPDX-License-Identifier: GPL-3.0-or-later' {} +)
if [ -n "$wrong" ]; then
    printf 'the wrong licence for its folder:\n%s\n' "$wrong"
    failed=1
fi
exit $failed
