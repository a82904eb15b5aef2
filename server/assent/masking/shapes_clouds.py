"""Keys of clouds, hosting and infrastructure."""

from assent.masking.shape import shape

CLOUDS = (
    shape(
        "AWS access key",
        "names an account's key",
        r"(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16,}",
        "AKIA",
        "ASIA",
        "ABIA",
        "ACCA",
    ),
    shape(
        "AWS Bedrock key",
        "invokes models on the account",
        r"(?:ABSK[A-Za-z0-9+/]{60,}|bedrock-api-key-[A-Za-z0-9+/]{20,})=*",
        "ABSK",
        "bedrock-api-key-",
    ),
    shape(
        "AWS signature",
        "a link that anybody may follow until it expires",
        r"X-Amz-(?:Signature|Security-Token|Credential)=(?P<secret>[A-Za-z0-9%+/=_.-]{16,})",
        "X-Amz-",
    ),
    shape(
        "Azure shared access signature",
        "opens storage without an account",
        r"[?&;]sig=(?P<secret>[A-Za-z0-9%+/=_-]{30,})",
        "sig=",
    ),
    shape(
        "Azure client secret", "logs an application in", r"(?<![\w~.])[A-Za-z0-9_~.]{3}\dQ~[A-Za-z0-9_~.-]{31,}", "Q~"
    ),
    shape("Google API key", "billed to a project", r"AIza[A-Za-z0-9_-]{35,}", "AIza"),
    shape("Google OAuth token", "acts as the user", r"ya29\.[A-Za-z0-9_.-]{20,}", "ya29."),
    shape("Google OAuth secret", "stands for an application", r"GOCSPX-[A-Za-z0-9_-]{24,}", "GOCSPX-"),
    shape("Google refresh token", "makes new tokens of the user", r"(?<![\w/])1//0[A-Za-z0-9_-]{30,}", "1//0"),
    shape("DigitalOcean token", "controls an account's machines", r"do[opr]_v1_[a-f0-9]{64,}", "_v1_"),
    shape("Alibaba access key", "names an account's key", r"LTAI[A-Za-z0-9]{16,}", "LTAI"),
    shape("Tencent secret id", "names an account's key", r"(?<![A-Za-z0-9])AKID[A-Za-z0-9]{32,}", "AKID"),
    shape("Cloudflare origin key", "issues certificates", r"v1\.0-[a-f0-9]{24}-[a-f0-9]{100,}", "v1.0-"),
    shape("Heroku key", "controls an account's apps", r"HRKU-[A-Za-z0-9_-]{30,}", "HRKU-"),
    shape(
        "Fly.io token",
        "controls an organisation's apps",
        r"(?:fo1_[A-Za-z0-9_-]{40,}|fm[12][ar]?_[A-Za-z0-9+/]{60,}=*)",
        "fo1_",
        "fm1",
        "fm2_",
    ),
    shape("Netlify token", "controls an account's sites", r"nfp_[A-Za-z0-9]{32,}", "nfp_"),
    shape(
        "Supabase key",
        "reaches a project's database past its rules",
        r"sb(?:p|_secret)_[A-Za-z0-9_-]{20,}",
        "sbp_",
        "sb_secret_",
    ),
    shape("PlanetScale token", "reaches a database", r"pscale_(?:tkn|oauth|pw)_[A-Za-z0-9_.=-]{30,}", "pscale_"),
    shape("Databricks token", "reaches a workspace's data", r"dapi[a-f0-9]{32,}(?:-\d)?", "dapi"),
    shape("HashiCorp Vault token", "opens other secrets", r"hv[sbr]\.[A-Za-z0-9_-]{24,}", "hvs.", "hvb.", "hvr."),
    shape(
        "Terraform Cloud token",
        "changes infrastructure",
        r"(?<![A-Za-z0-9])[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{40,}",
        ".atlasv1.",
    ),
    shape("Pulumi token", "changes infrastructure", r"pul-[a-f0-9]{40,}", "pul-"),
    shape("Doppler token", "opens other secrets", r"dp\.(?:pt|ct|st|sa|scim|audit)\.[A-Za-z0-9_.-]{40,}", "dp."),
    shape("1Password token", "opens other secrets", r"ops_eyJ[A-Za-z0-9+/]{100,}=*", "ops_eyJ"),
    shape("Tailscale key", "joins a private network", r"tskey-[a-z]{2,10}-[A-Za-z0-9-]{16,}", "tskey-"),
    shape("OpenShift token", "acts in a cluster", r"sha256~[A-Za-z0-9_-]{43,}", "sha256~"),
)
