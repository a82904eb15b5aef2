"""Which files are generated, and whether they are fresh."""

from pathlib import Path

from codegen.document import protocol_document
from codegen.manifest import manifest_with_settings
from codegen.settings_document import settings_document
from codegen.typescript import typescript_module

ROOT = Path(__file__).resolve().parents[2]


def generated() -> dict[Path, str]:
    """Every generated file with the text that it should have. Of the manifest, only the settings are generated."""
    manifest = ROOT / "client-ts/package.json"
    return {
        ROOT / "client-ts/src/protocol/generated.ts": typescript_module(),
        ROOT / "docs/protocol.md": protocol_document(),
        ROOT / "docs/settings.md": settings_document(),
        manifest: manifest_with_settings(manifest.read_text(encoding="utf-8")),
    }


def stale() -> list[str]:
    """The generated files that differ from what the types say."""
    return [
        str(path.relative_to(ROOT))
        for path, text in generated().items()
        if not path.exists() or path.read_text(encoding="utf-8") != text
    ]


def write_all() -> list[str]:
    """Writes the files that are stale and names them."""
    written = stale()
    for path, text in generated().items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")
    return written
