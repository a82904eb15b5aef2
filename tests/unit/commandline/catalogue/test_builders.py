"""Builders and compilers: ordinary lines, and lines that do more than they say."""

import pytest

from assent.model.modes import Category
from tests.support.programs import program_part

ORDINARY = {
    Category.EXECUTE: [
        "make",
        "make -j4 test",
        "make test V=1",
        "make -C sub all",
        "ninja -C build",
        "cmake -B build -S . -DCMAKE_BUILD_TYPE=Release",
        "cmake --build build -j 4",
        "cmake --build build -- -j4",
        "ctest --test-dir build --output-on-failure",
        "just build",
        "rake test",
        "turbo run build --filter=web",
        "bazel test //...",
        "cargo build --release",
        "cargo test -p foo -- --nocapture",
        "cargo clippy --all-targets -- -D warnings",
        "cargo fmt --check",
        "cargo run -- --config x",
        "cargo --version",
        "go test ./...",
        "go test -run X -count=1 -race ./pkg",
        "go build ./...",
        'go build -ldflags "-s -w -X main.v=1" ./...',
        "go vet ./...",
        "go run . --exec x",
        "golangci-lint run ./...",
        "rustc -C opt-level=3 a.rs",
        "javac -d out A.java",
        "mvn -q test -DskipTests",
        "gradle build -x test --info",
        "dotnet test --filter X -c Release",
        "dotnet build /p:Configuration=Release",
        "dotnet build -p:Configuration=Release",
        "swift test --filter x",
        "mix test --only x",
        "flutter test",
    ],
    Category.EXTERNAL: [
        "cargo add serde",
        "cargo update",
        "go mod tidy",
        "go get x@latest",
    ],
    Category.WRITE: [
        "gcc -Wall -O2 -o x x.c",
    ],
    Category.READ: [
        "make --version",
        "gcc --version",
        "go version",
        "go env GOPATH",
        "gofmt -l .",
    ],
}
DANGEROUS = [
    ("make SHELL=./x", 1),
    ("make test CC=./x", 2),
    ("make -f x.mk", 2),
    ("make -sf x.mk", 2),
    ("make --eva=x", 1),
    ("cmake -DCMAKE_C_COMPILER=./x ..", 1),
    ("cmake -P x.cmake", 2),
    ("cmake -E rm x", 1),
    ("just --shell ./x build", 1),
    ("just -f x build", 2),
    ("bazel build --run_under=x //x", 2),
    ("gcc -B. x.c", 1),
    ("gcc -B . x.c", 1),
    ("gcc -fplugin=./x.so x.c", 1),
    ("gcc -wrapper ./x x.c", 1),
    ("gcc -specs=x x.c", 1),
    ("gcc -Wl,-plugin,./x x.c", 1),
    ("gcc @x", 1),
    ("rustc -Clinker=./x a.rs", 1),
    ("javac -processorpath x A.java", 2),
    ("cargo build --config build.rustc-wrapper=./x", 2),
    ("cargo --config x build", 1),
    ("cargo +nightly fmt --config x", 3),
    ("cargo build --target-dir x", 3),
    ("cargo build --target x.json", 2),
    ("cargo clippy --fix", 2),
    ("go test -exec ./x ./...", 2),
    ("go test --exec=./x ./...", 2),
    ("go test ./... -coverprofile=x", 3),
    ("go test ./... -test.cpuprofile x", 4),
    ("go test -o x .", 3),
    ("go build -toolexec=./x .", 2),
    ('go build -ldflags "-extld=./x" .', 2),
    ("go vet -vettool=./x", 2),
    ("go build -overlay x .", 3),
    ("go env -w GOFLAGS=x", 2),
    ("gofmt -w .", 1),
    ("golangci-lint run --fix", 2),
    ("mvn test -Dexec.executable=./x", 2),
    ("mvn test exec:exec", 2),
    ("mvn -s x test", 2),
    ("gradle -I x build", 2),
    ("gradle build -Dorg.gradle.jvmargs=x", 2),
    ("dotnet build -p:CustomBeforeMicrosoftCommonTargets=./x", 2),
    ("dotnet test --settings:x", 2),
    ("swift build -Xcc -fplugin=x", 2),
    ("mix run -e x", 2),
    ("make V='$(shell x)'", 1),
    ("make 'V!=x'", 1),
    ("make NODE_ENV='$(shell x)'", 1),
    ("make '.SHELLFLAGS=x'", 1),
    ("cmake -DCMAKE_CXX_FLAGS=-fplugin=x ..", 1),
    ("cmake -DFETCHCONTENT_SOURCE_DIR_X=../x ..", 1),
    ("cmake --build build -- -f x", 4),
    ("mvn -sx test", 1),
]


@pytest.mark.parametrize(("category", "line"), [(one, line) for one, lines in ORDINARY.items() for line in lines])
def test_an_ordinary_line_is_no_danger(category: Category, line: str) -> None:
    part = program_part(line)
    assert part.dangers == ()
    assert part.category is category


@pytest.mark.parametrize(("line", "at"), DANGEROUS)
def test_what_does_more_is_told_with_its_word(line: str, at: int) -> None:
    assert at in [danger.at for danger in program_part(line).dangers]
