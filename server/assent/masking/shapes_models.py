"""Keys of model providers."""

from assent.masking.shape import WORD, shape

MODELS = (
    shape("Anthropic key", "billed to an account", r"sk-ant-[A-Za-z0-9_-]{20,}", "sk-ant-"),
    shape("OpenAI key", "billed to a project", r"sk-(?:proj|svcacct|service|admin|None)-[A-Za-z0-9_-]{20,}", "sk-"),
    shape("OpenRouter key", "billed to an account", r"sk-or-(?:v\d-)?[A-Za-z0-9]{32,}", "sk-or-"),
    shape(
        "model provider key",
        "the older form that many providers share",
        WORD + r"sk-(?:lf-)?[A-Za-z0-9]{20,}",
        "sk-",
    ),
    shape("Groq key", "billed to an account", r"gsk_[A-Za-z0-9]{40,}", "gsk_"),
    shape("xAI key", "billed to an account", r"xai-[A-Za-z0-9_-]{60,}", "xai-"),
    shape("Perplexity key", "billed to an account", r"pplx-[A-Za-z0-9]{40,}", "pplx-"),
    shape("Hugging Face token", "reads and writes models", r"(?:hf|api_org)_[A-Za-z0-9]{30,}", "hf_", "api_org_"),
    shape("Replicate token", "billed to an account", WORD + r"r8_[A-Za-z0-9]{32,}", "r8_"),
    shape("Cerebras key", "billed to an account", r"csk-[a-z0-9]{40,}", "csk-"),
    shape("Fireworks key", "billed to an account", WORD + r"fw_[A-Za-z0-9]{20,}", "fw_"),
    shape("NVIDIA key", "billed to an account", r"nvapi-[A-Za-z0-9_-]{40,}", "nvapi-"),
    shape("LangSmith key", "reads traces", r"lsv2_(?:pt|sk)_[a-f0-9]{32}_[a-f0-9]{8,}", "lsv2_"),
    shape("Tavily key", "billed to an account", r"tvly-[A-Za-z0-9-]{28,}", "tvly-"),
)
