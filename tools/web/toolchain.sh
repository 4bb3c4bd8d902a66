#!/usr/bin/env bash
# Makes a Rust toolchain for wasm32-unknown-unknown out of Debian's packages, once a machine, and prints the variables that a cargo call needs:
#   eval "$(tools/web/toolchain.sh)"
# A standard library has to match its compiler exactly; Debian's compiler comes with the source of its library. Where rustup has the target
# installed already, that is used instead.
set -euo pipefail
exec 3>&1 1>&2 # only the variables go to standard output
target=wasm32-unknown-unknown

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
command -v "wasm-ld-$llvm" >/dev/null || apt install -y --no-install-recommends "lld-$llvm" || true
linker=$(command -v "wasm-ld-$llvm" || echo "$(rustc --print sysroot)/lib/rustlib/x86_64-unknown-linux-gnu/bin/rust-lld")

root=${WASM_TOOLCHAIN_DIR:-$HOME/.cache/rust-wasm}/$version
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
    rm -rf "$root/seed"
    touch "$root/done"
fi
printf 'export RUSTC=%q CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER=%q\n' "$root/bin/rustc" "$linker" >&3
