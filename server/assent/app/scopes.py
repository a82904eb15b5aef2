"""Settings as a client tells them. Light, because it is needed for the first answer of all."""

from assent.lazy_dataclasses import dataclass
from assent.model.json import Json, JsonObject


@dataclass(frozen=True, slots=True)
class Scopes:
    """Settings by scope, as a client tells them."""

    user: JsonObject | None = None
    workspace: JsonObject | None = None
    folder: JsonObject | None = None

    def over(self, earlier: "Scopes | None") -> "Scopes":
        """These scopes, and what was told earlier of those that they leave out: silence takes no restriction back."""
        if earlier is None:
            return self
        return Scopes(
            self.user if self.user is not None else earlier.user,
            self.workspace if self.workspace is not None else earlier.workspace,
            self.folder if self.folder is not None else earlier.folder,
        )

    def blocks(self) -> dict[str, Json]:
        """The scopes as the settings layer reads them."""
        return {"user": self.user, "workspace": self.workspace, "folder": self.folder}
