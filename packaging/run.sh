#!/usr/bin/env bash
# packaging/run.sh [--cuda] [FILE] [arguments of plimsoll…]
# Installs what is missing, builds, and opens the window on FILE or on the start page. Where there is no display, it
# renders the same window to plimsoll.png and writes the report to plimsoll.html. With --cuda, kernels for CUDA devices
# are compiled too: that takes nvcc and some minutes, and holds for later builds in the same folder.
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"

need "${build_packages[@]}" "${window_packages[@]}"
build release plimsoll plimsoll-cli

if [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; then
  exec "$root/build/bin/plimsoll" "$@"
fi

say "There is no display: rendering the window off-screen"
status=0
if [ -z "${XDG_RUNTIME_DIR:-}" ]; then # Qt complains without one
  XDG_RUNTIME_DIR=$(mktemp -d)
  export XDG_RUNTIME_DIR
  trap 'rm -rf "$XDG_RUNTIME_DIR"' EXIT
fi
QT_QPA_PLATFORM=offscreen "$root/build/bin/plimsoll" "$@" --screenshot plimsoll.png || status=$?
say "Window: $PWD/plimsoll.png"
if [ $# -gt 0 ] && [ "${1#-}" = "$1" ] && [ $status -le 1 ]; then # 1: the plan breaks a rule
  # The report knows what is planned and judged, not the options of the window.
  graph=$1 options=()
  shift
  while [ $# -gt 0 ]; do
    case $1 in
      -p | --dim | --shape | --max-stored | --plan) options+=("$1" "${2:-}"); shift ;;
      -p?* | --dim=* | --shape=* | --max-stored=* | --plan=*) options+=("$1") ;;
    esac
    shift
  done
  status=0
  "$root/build/bin/plimsoll-cli" report "$graph" "${options[@]}" -o plimsoll.html || status=$?
  [ $status -le 1 ] && say "Report: $PWD/plimsoll.html"
fi
exit $status
