"""What holds of a session also between its turns: the plan, the slash commands, and what can be chosen in it."""

from collections.abc import Callable, Sequence

from assent.acp.fields import CUT, LONGEST_NAME
from assent.acp.modes import danger, is_of_modes
from assent.acp.words import CommandsTold, Introduction, PlanTold, Setting
from assent.model.events import (
    AgentChoice,
    AgentSetting,
    AgentStateChanged,
    CommandsChanged,
    Event,
    PlanChanged,
    PlanStep,
    SlashCommand,
)

MOST_STEPS = 100
MOST_COMMANDS = 300
MOST_SETTINGS = 20
MOST_CHOICES = 200
LONGEST_STEP = 500

Tell = Callable[[Event], None]
"""Tells the chat, also while no turn goes on."""


class Standing:
    """Tells the chat what is new of it. An agent that says the same again and again tells nothing."""

    def __init__(self, tell: Tell, launch_words: tuple[str, ...] = ()) -> None:
        self.tell = tell
        self.launch_words = launch_words
        """What starts the agent: by that, some are known that do not say who they are."""
        self._said: dict[type, Event] = {}

    def told(self, update: PlanTold | CommandsTold) -> None:
        """The agent says what its plan is now, or its commands."""
        if isinstance(update, PlanTold):
            steps = (PlanStep(_short(one.content), one.status) for one in update.entries[:MOST_STEPS])
            self._say(PlanChanged(tuple(steps)))
        else:
            fitting = (one for one in update.commands if _can_be_written(one.name))
            commands = tuple(SlashCommand(one.name.removeprefix("/"), one.description, one.hint) for one in fitting)
            self._say(CommandsChanged(commands[:MOST_COMMANDS]))

    def chosen(
        self, settings: Sequence[Setting], danger: str | None, agent: Introduction | None, acp_id: str | None
    ) -> None:
        """This can be chosen, and is chosen, now; the agent knows the chat under this id."""
        shown = tuple(self._shown(one, agent) for one in settings[:MOST_SETTINGS] if one.choices)
        self._say(AgentStateChanged(shown, danger, acp_id))

    def danger(self, setting: Setting, choice_id: str, agent: Introduction | None) -> str | None:
        """Why the agent does not ask for everything with this choice, as a sentence."""
        return danger(setting, choice_id, agent, self.launch_words)

    def first_danger(self, settings: Sequence[Setting], agent: Introduction | None) -> str | None:
        """Why it does not as it is set now."""
        told = (self.danger(one, one.current, agent) for one in settings if one.current is not None)
        return next((words for words in told if words is not None), None)

    def matters(self, setting: Setting, agent: Introduction | None) -> bool:
        """Whether it can have to do with what the agent asks for."""
        dangers = (self.danger(setting, one.choice_id, agent) for one in setting.choices)
        return is_of_modes(setting) or any(words is not None for words in dangers)

    def _shown(self, setting: Setting, agent: Introduction | None) -> AgentSetting:
        choices = tuple(
            AgentChoice(one.choice_id, one.name, one.description, self.danger(setting, one.choice_id, agent))
            for one in setting.choices[:MOST_CHOICES]
        )
        return AgentSetting(setting.setting_id, setting.name, setting.current, choices, is_mode=is_of_modes(setting))

    def _say(self, event: Event) -> None:
        if self._said.get(type(event)) != event:
            self._said[type(event)] = event
            self.tell(event)


def _short(text: str) -> str:
    return text if len(text) <= LONGEST_STEP else text[: LONGEST_STEP - len(CUT)] + CUT


def _can_be_written(name: str) -> bool:
    """Whether it can stand behind a slash in a line. Some agents have names with spaces."""
    return len(name) <= LONGEST_NAME and name.isprintable() and bool(name.strip())
