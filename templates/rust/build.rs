//! Builds the C++ part of the program: the blocks, their kernels and their metrics. It is a shared library, because the
//! linker of a Rust program drops the tracepoints of a static library.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

fn run(command: &mut Command) {
    let status = command.status().unwrap_or_else(|error| panic!("cannot run {command:?}: {error}"));
    assert!(status.success(), "{command:?} failed");
}

fn main() {
    for path in ["CMakeLists.txt", "native", "weir"] {
        println!("cargo::rerun-if-changed={path}");
    }
    println!("cargo::rerun-if-env-changed=WEIR_NATIVE");
    // WEIR_NATIVE may name the folder of a library that is already built.
    let library = env::var_os("WEIR_NATIVE").map(PathBuf::from).unwrap_or_else(|| {
        let build = Path::new(&env::var_os("OUT_DIR").expect("cargo sets it")).join("native");
        run(Command::new("cmake").args(["-S", "."]).arg("-B").arg(&build));
        run(Command::new("cmake").arg("--build").arg(&build).arg("--parallel"));
        build
    });
    println!("cargo::rustc-link-search=native={}", library.display());
    println!("cargo::rustc-link-lib=dylib=flowgraph");
    println!("cargo::rustc-link-arg=-Wl,-rpath,$ORIGIN");
    println!("cargo::rustc-link-arg=-Wl,-rpath,{}", library.display());
}
