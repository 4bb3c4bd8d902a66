#!/usr/bin/env bash
# Builds the npm package `kinetree` from a clean clone: tools/web/build.sh [FOLDER], target/npm/kinetree unless said otherwise.
# It installs what it needs: a toolchain for WebAssembly (toolchain.sh), and binaryen from npm for the last optimisation.
set -euo pipefail
cd "$(dirname "$0")/../.."
out=${1:-target/npm/kinetree}
target=wasm32-unknown-unknown
toolchain=$(tools/web/toolchain.sh)
mkdir -p "$out/lib" target/web

cargo build --quiet --manifest-path tools/web/Cargo.toml --target-dir target/web/tool
glue=target/web/tool/debug/kinetree-web-tool

# one build for browsers with 128-bit SIMD, one for those without; index.js chooses
build() { # NAME FEATURES
    echo "building the module '$1'" >&2
    (
        eval "$toolchain"
        # in a subshell: RUSTC must not reach native builds. Deep models recurse: four megabytes of stack
        RUSTFLAGS="$2 -C link-arg=-zstack-size=4194304" CARGO_PROFILE_RELEASE_DEBUG=false CARGO_PROFILE_RELEASE_LTO=fat CARGO_PROFILE_RELEASE_CODEGEN_UNITS=1 \
            cargo build --quiet --release --target $target --target-dir "target/web/$1" -p kinetree-wasm
    )
    "$glue" "target/web/$1/$target/release/kinetree_wasm.wasm" "target/web/$1/glue" kinetree
}
build simd "-C target-feature=+simd128"
build plain ""

if ! [ -e target/web/node_modules/binaryen ]; then
    (cd target/web && npm install --silent --no-audit --no-fund --no-save binaryen@132)
fi
shrink() { # IN OUT FEATURES...
    local from=$1 to=$2
    shift 2
    node target/web/node_modules/binaryen/bin/wasm-opt -O3 --enable-bulk-memory --enable-reference-types --enable-multivalue \
        --enable-nontrapping-float-to-int --enable-sign-ext --enable-mutable-globals "$@" "$from" -o "$to"
}
shrink target/web/simd/glue/kinetree_bg.wasm "$out/lib/kinetree.wasm" --enable-simd
shrink target/web/plain/glue/kinetree_bg.wasm "$out/lib/kinetree-plain.wasm"
cp target/web/simd/glue/kinetree.js "$out/lib/glue.js"
cp crates/wasm/js/{index.js,package.json,README.md} LICENSE-MIT LICENSE-APACHE "$out/"
node tools/web/types.mjs "$out" # types of all fields, from the module's own tables
echo "the package is in $out" >&2
