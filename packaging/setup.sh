#!/usr/bin/env bash
# Installs what is missing from Debian's packages, then configures and builds. Sourced by run.sh and test.sh.
#   say TEXT            one line about what is going on
#   need PACKAGE…       installs what is not there yet
#   build PRESET [TARGET…]
# A first argument --cuda of the script asks for the kernels of CUDA devices.
# Quiet: the output of tools goes to build/log/, and its end is shown where a step fails. Every step can be repeated.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
log_folder=$root/build/log
mkdir -p "$log_folder"

build_packages=(g++ cmake ninja-build pkg-config ca-certificates ccache
  libfmt-dev nlohmann-json3-dev libcli11-dev libabsl-dev libre2-dev libseccomp-dev libprotobuf-dev protobuf-compiler libflatbuffers-dev flatbuffers-compiler libdnnl-dev ocl-icd-opencl-dev)
window_packages=(qt6-base-dev qt6-svg-dev libqt6opengl6-dev libqt6svg6 qt6-tools-dev qt6-l10n-tools qt6-translations-l10n fonts-dejavu-core
  graphviz)
test_packages=(clang-format python3 libonnx-testdata)

configure_options=()
if [ "${1:-}" = --cuda ]; then
  configure_options=(-DPLIMSOLL_CUDA=REQUIRED)
  shift # the arguments are the script's
fi

say() { printf '\033[1m▸\033[0m %s\n' "$*" | { if [ -t 1 ] && [ -z "${NO_COLOR:-}" ]; then cat; else sed 's/\x1b\[[0-9;]*m//g'; fi; }; }

fail() {
  printf 'plimsoll: %s\n' "$1" >&2
  exit "${2:-1}"
}

# quietly NAME COMMAND…: runs it with its output in a file; shows the end of that file if it fails.
quietly() {
  local name=$1 status=0
  shift
  "$@" >"$log_folder/$name.log" 2>&1 </dev/null || status=$?
  if [ $status -ne 0 ]; then
    tail -n 40 "$log_folder/$name.log" >&2
    fail "the step '$name' failed; the whole output is in ${log_folder#"$PWD"/}/$name.log" $status
  fi
}

missing() {
  local package
  for package in "$@"; do
    dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q '^install ok installed$' || echo "$package"
  done
}

need() {
  local absent sudo=()
  mapfile -t absent < <(missing "$@")
  [ ${#absent[@]} -eq 0 ] && return 0
  command -v apt-get >/dev/null || fail "this script installs Debian packages; on another system install by hand: ${absent[*]}"
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || fail "these packages are missing, and there is neither root nor sudo to install them: ${absent[*]}"
    sudo=(sudo)
  fi
  say "Installing ${#absent[@]} packages: ${absent[*]}"
  quietly apt-update "${sudo[@]}" apt-get update
  quietly apt-install "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "${absent[@]}"
}

# Ninja's own counter, rewritten on one line of a terminal and every 10 % elsewhere.
watch_ninja() {
  local line done total percent last=-10
  while IFS= read -r line; do
    printf '%s\n' "$line" >>"$log_folder/build.log"
    [[ $line =~ ^\[([0-9]+)/([0-9]+)\] ]] || continue
    done=${BASH_REMATCH[1]} total=${BASH_REMATCH[2]} percent=$((done * 100 / total))
    if [ -t 1 ]; then
      printf '\r  %3d %%  %s of %s \033[K' "$percent" "$done" "$total"
    elif [ $((percent - last)) -ge 10 ]; then
      printf '  %3d %%\n' "$percent"
      last=$percent
    fi
  done
  [ -t 1 ] && printf '\r\033[K' || true
}

build() {
  local preset=$1 status=0
  shift
  say "Configuring"
  (cd "$root" && CCACHE_BASEDIR=$root quietly configure cmake --preset "$preset" "${configure_options[@]}")
  say "Building with $(nproc) cores (the first time takes some minutes)"
  : >"$log_folder/build.log"
  (cd "$root" && CCACHE_BASEDIR=$root cmake --build build ${1:+--target "$@"} 2>&1 </dev/null) | watch_ninja || status=$?
  if [ $status -ne 0 ]; then
    grep -E 'error|FAILED|undefined reference' "$log_folder/build.log" | head -n 40 >&2 || true
    fail "the build failed; the whole output is in build/log/build.log" $status
  fi
}
