#!/usr/bin/env bash
# Installs what building and testing need, from Debian's packages, unless it is there already.
# Sourced by run.sh, test.sh and web.sh: `need` lists packages as "package:what-shows-that-it-is-there".
set -euo pipefail

# have PROOF: a command, or a file when it begins with '/'.
have() {
  case "$1" in
    /*) compgen -G "$1" > /dev/null ;;
    *) command -v "$1" > /dev/null 2>&1 ;;
  esac
}

install_missing() {
  local missing=() entry
  for entry in "$@"; do
    have "${entry#*=}" || missing+=("${entry%%=*}")
  done
  [ ${#missing[@]} -eq 0 ] && return 0
  if ! command -v apt-get > /dev/null; then
    echo "floc needs these packages, and this system has no apt-get to install them: ${missing[*]}" >&2
    return 1
  fi
  local as_root=""
  if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo > /dev/null; then
      echo "floc needs these packages; install them as root: apt-get update && apt-get install ${missing[*]}" >&2
      return 1
    fi
    as_root=sudo
  fi
  echo "installing, for a minute or more: ${missing[*]}"
  $as_root apt-get update -qq
  DEBIAN_FRONTEND=noninteractive $as_root apt-get install -y -qq --no-install-recommends "${missing[@]}" > /dev/null
}

# get_source PACKAGE FOLDER: the source of one of Debian's packages, once. With lists of its own: the system's may name no
# sources, and belong to root. Needs dpkg-dev and debian-archive-keyring.
debian_keyring=/usr/share/keyrings/debian-archive-keyring.gpg
get_source() {
  local package=$1 folder=$2 release
  [ ! -e "$folder/complete" ] || return 0
  mkdir -p "$folder/apt/lists/partial" "$folder/apt/cache"
  (
    cd "$folder"
    release=$(. /etc/os-release && echo "${VERSION_CODENAME:-stable}")
    echo "deb-src [signed-by=$debian_keyring] http://deb.debian.org/debian $release main" > apt/sources.list
    options=(-qq -o "Dir::Etc::sourcelist=$PWD/apt/sources.list" -o Dir::Etc::sourceparts=/dev/null
      -o "Dir::State::lists=$PWD/apt/lists" -o "Dir::Cache=$PWD/apt/cache" -o APT::Sandbox::User=)
    { apt-get "${options[@]}" update && apt-get "${options[@]}" source "$package"; } > log 2>&1 || { cat log >&2 && exit 1; }
    touch complete
  )
}

build_packages=(
  gcc=cc cmake=cmake ninja-build=ninja pkg-config=pkg-config binutils=objcopy libc6-dev=/usr/include/stdio.h
  zlib1g-dev=/usr/include/zlib.h libxxhash-dev=/usr/include/xxhash.h
  libdeflate-dev=/usr/include/libdeflate.h
  libluajit-5.1-dev=/usr/include/luajit-2.1/lua.h liblua5.4-dev=/usr/include/lua5.4/lua.h
  nodejs=node npm=npm libmicrohttpd-dev=/usr/include/microhttpd.h
  openmpi-bin=mpirun libopenmpi-dev=/usr/lib/*/openmpi/include/mpi.h
  libcairo2-dev=/usr/include/cairo/cairo.h fonts-dejavu-core=/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf
)
test_packages=(
  python3=/usr/bin/python3 python3-cffi=/usr/lib/python3/dist-packages/cffi
  clang-format=clang-format clang-tidy=clang-tidy lua-check=luacheck
  libcmocka-dev=/usr/include/cmocka.h libmpfr-dev=/usr/include/mpfr.h lua-busted=busted luajit=luajit lua5.4=lua5.4 clang=clang lld=ld.lld
  libclang-rt-dev=/usr/lib/llvm-*/lib/clang/*/lib/linux/libclang_rt.tsan-x86_64.a
  python3-numpy=/usr/lib/python3/dist-packages/numpy python3-vtk9=/usr/lib/python3/dist-packages/vtkmodules/vtkIOXML.*.so ffmpeg=ffmpeg
  chromium=chromium
  locales=/usr/share/i18n/locales/de_DE
  luarocks=luarocks dpkg-dev=dpkg-shlibdeps file=file
  slurmctld=/usr/sbin/slurmctld slurmd=/usr/sbin/slurmd slurm-client=sbatch munge=/usr/sbin/munged
)
manual_packages=(
  python3=/usr/bin/python3 python3-sphinx=/usr/lib/python3/dist-packages/sphinx python3-myst-parser=/usr/lib/python3/dist-packages/myst_parser
  furo=/usr/lib/python3/dist-packages/furo libjs-katex=/usr/share/javascript/katex/katex.js
  fonts-katex=/usr/share/fonts/truetype/katex
)
