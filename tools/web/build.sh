#!/usr/bin/env bash
# Builds what runs in browsers from a clean clone, and installs what that needs: a toolchain for WebAssembly (toolchain.sh). Node must be there.
#   tools/web/build.sh package [FOLDER]    the npm package `kinetree`, into target/npm/kinetree
#   tools/web/build.sh gpu [FOLDER]        the same package with GpuWorlds, many worlds on the GPU of a browser, into target/npm/kinetree-gpu
#   tools/web/build.sh page [FOLDER]       the page with the viewer, static files for any web server, into target/page
#   tools/web/build.sh                     package and page
#   tools/web/build.sh plain FOLDER        for tests: a package with nothing but the module without SIMD
# With QUICK=1 one module for tests of both: hardly optimised, larger and slower. With NAMES=1 modules keep the names of their functions, for profiles.
set -euo pipefail
cd "$(dirname "$0")/../.."
target=wasm32-unknown-unknown
SIMD="-C target-feature=+simd128"
toolchain=$(tools/web/toolchain.sh)
mkdir -p target/web
cargo build --quiet --manifest-path tools/web/Cargo.toml --target-dir target/web/tool
glue=target/web/tool/debug/kinetree-web-tool

compile() { # NAME PROFILE RUSTFLAGS [CARGO ARGUMENTS...]
    local name=$1 profile=${QUICK:+web-test} flags=$3
    profile=${profile:-$2}
    shift 3
    echo "building the module '$name'" >&2
    (
        eval "$toolchain"
        # in a subshell: RUSTC must not reach native builds. Deep models recurse: four megabytes of stack.
        # One folder for all modules: they share build scripts and macros, and those with the same flags their crates
        RUSTFLAGS="$flags -C link-arg=-zstack-size=4194304" \
            cargo build --quiet --profile "$profile" --target $target --target-dir target/web/build -p kinetree-wasm "$@"
    )
    rm -rf "target/web/glue/$name"
    "$glue" "target/web/build/$target/$profile/kinetree_wasm.wasm" "target/web/glue/$name" kinetree
}

# ours, and those of the crates that are linked
licences() { # FOLDER
    cp LICENSE-MIT LICENSE-APACHE "$1/"
    tools/release/licences --crate kinetree-wasm --target $target --out "$1/LICENCES-OF-DEPENDENCIES.txt"
}

package() { # FOLDER
    local out=$1
    rm -rf "$out"
    mkdir -p "$out/lib"
    if [ -n "${QUICK:-}" ]; then
        # the page's module has all that this one has
        compile_page
        cp target/web/glue/page/kinetree_bg.wasm "$out/lib/kinetree.wasm"
        cp target/web/glue/page/kinetree.js "$out/lib/glue.js"
    else
        # one module for browsers with 128-bit SIMD, one for those without; index.js chooses
        compile simd npm "$SIMD"
        compile plain npm ""
        # one glue serves both: it names what a module imports
        cmp target/web/glue/simd/kinetree.js target/web/glue/plain/kinetree.js
        cp target/web/glue/simd/kinetree_bg.wasm "$out/lib/kinetree.wasm"
        cp target/web/glue/plain/kinetree_bg.wasm "$out/lib/kinetree-plain.wasm"
        cp target/web/glue/simd/kinetree.js "$out/lib/glue.js"
    fi
    cp crates/wasm/js/{index.js,compile.js,package.json,README.md} "$out/"
    licences "$out"
    node tools/web/types.mjs "$out" # types of all fields, from the module's own tables
    echo "the package is in $out" >&2
}

plain() { # FOLDER
    local out=$1
    rm -rf "$out"
    mkdir -p "$out/lib"
    compile plain npm ""
    cp target/web/glue/plain/kinetree_bg.wasm "$out/lib/kinetree-plain.wasm"
    # its own: that of the page knows more imports
    cp target/web/glue/plain/kinetree.js "$out/lib/glue.js"
    cp crates/wasm/js/{index.js,compile.js,package.json} "$out/"
    echo "the package without SIMD is in $out" >&2
}

compile_page() {
    if [ -n "${QUICK:-}" ]; then
        # one module for all: the large crates are built once
        compile page page "$SIMD" --features viewer,gpu
    else
        compile page page "$SIMD" --features viewer
    fi
}

# the engine with GpuWorlds
gpu_engine() { # FOLDER
    local out=$1 name=gpu
    mkdir -p "$out/lib"
    if [ -n "${QUICK:-}" ]; then
        name=page
        [ -d target/web/glue/page ] || compile_page
    else
        compile gpu npm "$SIMD" --features gpu
    fi
    cp "target/web/glue/$name/kinetree_bg.wasm" "$out/lib/kinetree.wasm"
    cp "target/web/glue/$name/kinetree.js" "$out/lib/glue.js"
    if [ -d "target/web/glue/$name/snippets" ]; then cp -r "target/web/glue/$name/snippets" "$out/lib/"; fi
    cp crates/wasm/js/{index,compile,gpu}.js "$out/"
}

gpu() { # FOLDER
    local out=$1
    rm -rf "$out"
    gpu_engine "$out"
    cp crates/wasm/js/gpu.d.ts crates/wasm/js/README.md "$out/"
    licences "$out"
    node tools/web/types.mjs "$out"
    node tools/web/gpu-package.mjs "$out"
    echo "the package with GpuWorlds is in $out" >&2
}

page() { # FOLDER
    local out=$1
    rm -rf "$out"
    mkdir -p "$out/engine/lib" "$out/pictures" "$out/models"
    compile_page
    cp target/web/glue/page/kinetree_bg.wasm "$out/engine/lib/kinetree.wasm"
    cp web/*.{html,css,js,svg,webmanifest} "$out/"
    cp web/engine/viewer.js "$out/engine/"
    cp target/web/glue/page/kinetree.js "$out/engine/lib/glue.js"
    cp crates/wasm/js/{index,compile}.js "$out/engine/"
    gpu_engine "$out/engine-gpu" # of many.html alone
    # the viewer's glue has snippets of the crates that it comes from
    if [ -d target/web/glue/page/snippets ]; then cp -r target/web/glue/page/snippets "$out/engine/lib/"; fi
    node tools/web/page.mjs "$out" $([ -n "${QUICK:-}" ] || echo --compress) # models, pictures, and what is kept for when there is no network
    echo "the page is in $out: any web server can hand it out, or \`kinetree serve\`" >&2
}

case "${1:-all}" in
package) package "${2:-target/npm/kinetree}" ;;
page) page "${2:-target/page}" ;;
plain) plain "${2:-target/npm/plain}" ;;
gpu) gpu "${2:-target/npm/kinetree-gpu}" ;;
all)
    package target/npm/kinetree
    page target/page
    ;;
*)
    echo "build.sh: package, gpu, page, plain or nothing is expected, not '$1'" >&2
    exit 2
    ;;
esac
