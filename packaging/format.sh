#!/usr/bin/env bash
# packaging/format.sh           puts every source file into the one style (.clang-format)
# packaging/format.sh --check   names the files that are not, and fails if there are any
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
case "${1:-}" in
  '' | --check) ;;
  *) echo "format.sh: there is no '$1', only --check" >&2; exit 2 ;;
esac
mapfile -t files < <(find app core kernels tests \( -name '*.h' -o -name '*.cpp' -o -name '*.cu' \) -not -path '*/data/*' | sort)
if [ "${1:-}" != --check ]; then
  clang-format -i "${files[@]}"
  exit
fi
status=0
for file in "${files[@]}"; do
  if ! clang-format "$file" | cmp -s - "$file"; then
    echo "not formatted: $file (run packaging/format.sh)"
    status=1
  fi
done
exit $status
