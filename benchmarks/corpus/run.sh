#!/usr/bin/env bash
# The corpus of contact problems: makes it, solves it, compares it with references. See --help and README.md.
set -euo pipefail
exec /usr/bin/python3 "$(dirname "${BASH_SOURCE[0]}")/main.py" "$@"
