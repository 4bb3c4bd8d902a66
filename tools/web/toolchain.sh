#!/usr/bin/env bash
# Makes a Rust toolchain for another target out of Debian's packages, once a machine, and prints the variables that a cargo call needs:
#   eval "$(tools/web/toolchain.sh [TARGET])"
# Targets: wasm32-unknown-unknown, aarch64-unknown-linux-gnu, x86_64-pc-windows-gnu; and those of Apple for `cargo check`, since there is no linker.
# A standard library has to match its compiler exactly; Debian's compiler comes with the source of its library. Where rustup has the target
# installed already, that is used instead.
set -euo pipefail
exec 3>&1 1>&2 # only the variables go to standard output
target=${1:-wasm32-unknown-unknown}

if [ -d "$(rustc --print sysroot)/lib/rustlib/$target/lib" ]; then
    printf 'export RUSTC=%q\n' "$(rustup which rustc 2>/dev/null || command -v rustc)" >&3
    exit
fi

export DEBIAN_FRONTEND=noninteractive
apt() { apt-get -qq -o Acquire::Retries=3 -o DPkg::Lock::Timeout=300 "$@"; }
if ! [ -x /usr/bin/rustc ] || ! [ -d /usr/lib/rustlib/src/rust/library/std ]; then
    if ! command -v apt-get >/dev/null; then
        echo "toolchain.sh: install the target with 'rustup target add $target' first" >&2
        exit 1
    fi
    apt update
    apt install -y --no-install-recommends rustc-web rust-web-src
fi
version=$(/usr/bin/rustc --version | cut -d' ' -f2)
llvm=$(/usr/bin/rustc -vV | sed -n 's/^LLVM version: \([0-9]*\).*/\1/p')
need() { # PROGRAM PACKAGE...
    local program=$1
    shift
    command -v "$program" >/dev/null || { apt update && apt install -y --no-install-recommends "$@"; }
}
root=${WASM_TOOLCHAIN_DIR:-$HOME/.cache/rust-wasm}/$version
case $target in
wasm32-*)
    need "wasm-ld-$llvm" "lld-$llvm" || true
    linker=$(command -v "wasm-ld-$llvm" || echo "$(rustc --print sysroot)/lib/rustlib/x86_64-unknown-linux-gnu/bin/rust-lld")
    ;;
aarch64-unknown-linux-gnu)
    need aarch64-linux-gnu-gcc gcc-aarch64-linux-gnu libc6-dev-arm64-cross
    linker=aarch64-linux-gnu-gcc
    ;;
x86_64-pc-windows-gnu)
    need x86_64-w64-mingw32-gcc-posix gcc-mingw-w64-x86-64-posix
    linker=x86_64-w64-mingw32-gcc-posix
    ;;
*-apple-darwin) linker=false ;;
*)
    echo "toolchain.sh: no linker is known for $target" >&2
    exit 2
    ;;
esac
if [ "$target" != wasm32-unknown-unknown ]; then root=$root-$target; fi
libraries=$root/lib/rustlib
if ! [ -e "$root/done" ]; then
    echo "building the standard library for $target, once"
    rm -rf "$root"
    mkdir -p "$libraries/$target/lib" "$root/bin" "$root/seed"
    ln -s /usr/lib/rustlib/x86_64-unknown-linux-gnu "$libraries/x86_64-unknown-linux-gnu"
    printf '#!/bin/sh\nexec /usr/bin/rustc --sysroot %s "$@"\n' "$root" >"$root/bin/rustc"
    chmod +x "$root/bin/rustc"
    # an empty crate whose build leaves the library; with bitcode, which link-time optimisation needs
    printf '[package]\nname = "seed"\nversion = "0.0.0"\nedition = "2021"\n[lib]\npath = "lib.rs"\n[workspace]\n' >"$root/seed/Cargo.toml"
    : >"$root/seed/lib.rs"
    (cd "$root/seed" && env -u CARGO_BUILD_TARGET RUSTFLAGS="-C embed-bitcode=yes" RUSTC=/usr/bin/rustc RUSTC_BOOTSTRAP=1 \
        CARGO_TARGET_DIR="$root/seed/target" cargo build --release -Z build-std=std,panic_abort,test --target "$target")
    cp "$root/seed/target/$target"/release/deps/*.rlib "$libraries/$target/lib/"
    rm -f "$libraries/$target"/lib/libseed-*
    if [ "$target" = x86_64-pc-windows-gnu ]; then
        # the first and last object of every program, which cargo does not build
        for object in rsbegin rsend; do
            RUSTC_BOOTSTRAP=1 /usr/bin/rustc --target "$target" --emit=obj -o "$libraries/$target/lib/$object.o" \
                "/usr/lib/rustlib/src/rust/library/rtstartup/$object.rs"
        done
    fi
    rm -rf "$root/seed"
    touch "$root/done"
fi
variable=$(tr a-z- A-Z_ <<<"$target")
printf 'export RUSTC=%q CARGO_TARGET_%s_LINKER=%q\n' "$root/bin/rustc" "$variable" "$linker" >&3
