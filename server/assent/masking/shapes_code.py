"""Tokens of places where code is kept, built and published."""

from assent.masking.shape import WORD, shape

CODE = (
    shape(
        "GitHub token",
        "acts as a user, an app or a build",
        r"gh[pousr]_[A-Za-z0-9]{36,}",
        "ghp_",
        "gho_",
        "ghu_",
        "ghs_",
        "ghr_",
    ),
    shape(
        "GitHub fine-grained token",
        "acts as a user on chosen repositories",
        r"github_pat_[A-Za-z0-9_]{40,}",
        "github_pat_",
    ),
    shape(
        "GitLab token",
        "acts as a user, a runner or a build",
        r"gl(?:pat|dt|rt|rtr|ptt|oas|ft|imt|agent|soat|ffct|cbt)-[A-Za-z0-9_.-]{16,}",
        "gl",
    ),
    shape("GitLab runner token", "registers a runner, in its older form", r"GR1348941[A-Za-z0-9_-]{20,}", "GR1348941"),
    shape("GitLab session", "is a login", r"_gitlab_session=(?P<secret>[A-Za-z0-9%_-]{16,})", "_gitlab_session="),
    shape("Bitbucket token", "acts as a user", r"ATBB[A-Za-z0-9]{24,}(?:_?[A-Za-z0-9]+)?", "ATBB"),
    shape("Atlassian token", "acts as a user", r"AT(?:AT|CT)T3[A-Za-z0-9_=-]{60,}", "ATATT3", "ATCTT3"),
    shape(
        "Azure DevOps token",
        "acts as a user",
        r"(?:(?<![A-Za-z0-9\\%])|(?<=\\[nrt])|(?<=\\u[0-9A-Fa-f]{4})|(?<=%[0-9A-Fa-f]{2}))[A-Za-z0-9]{76,}?AZDO[A-Za-z0-9]{4,}",
        "AZDO",
    ),
    shape("npm token", "publishes packages", r"npm_[A-Za-z0-9]{36,}", "npm_"),
    shape("PyPI token", "publishes packages", r"pypi-[A-Za-z0-9_-]{50,}", "pypi-"),
    shape("RubyGems token", "publishes packages", r"rubygems_[a-f0-9]{48,}", "rubygems_"),
    shape("crates.io token", "publishes packages", WORD + r"cio[A-Za-z0-9]{32,}", "cio"),
    shape("NuGet key", "publishes packages", WORD + r"oy2[a-z0-9]{43,}", "oy2"),
    shape("Clojars token", "publishes packages", r"CLOJARS_[a-z0-9]{60,}", "CLOJARS_"),
    shape("Docker token", "pushes images", r"dckr_(?:pat|oat)_[A-Za-z0-9_-]{20,}", "dckr_"),
    shape(
        "Artifactory key",
        "publishes packages",
        WORD + r"(?:AKCp[A-Za-z0-9]{60,}|cmVmd[A-Za-z0-9]{50,})",
        "AKCp",
        "cmVmd",
    ),
    shape("CircleCI token", "controls builds", r"CCI(?:PAT|PRJ)_[A-Za-z0-9_]{20,}", "CCIPAT_", "CCIPRJ_"),
    shape("Buildkite token", "controls builds", r"bk(?:ua|aa|pt)_[A-Za-z0-9]{32,}", "bkua_", "bkaa_", "bkpt_"),
    shape("SonarQube token", "controls analyses", r"sq[upa]_[a-f0-9]{40,}", "squ_", "sqp_", "sqa_"),
    shape("Sourcegraph token", "reads code", r"sgp_[A-Za-z0-9_]{40,}", "sgp_"),
    shape("Postman key", "reads workspaces", r"PMAK-[a-f0-9]{24}-[a-f0-9]{34,}", "PMAK-"),
    shape("Linear key", "acts as a user", r"lin_(?:api|oauth)_[A-Za-z0-9]{32,}", "lin_"),
    shape(
        "Notion token", "reads and writes pages", r"(?:ntn_[A-Za-z0-9]{40,}|secret_[A-Za-z0-9]{43,})", "ntn_", "secret_"
    ),
    shape("Figma token", "reads designs", r"figd_[A-Za-z0-9_-]{36,}", "figd_"),
    shape("Airtable token", "reads and writes tables", r"pat[A-Za-z0-9]{14}\.[a-f0-9]{64,}", "pat"),
)
