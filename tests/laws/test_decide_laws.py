"""What holds of the decision for all facts and rules."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from assent.model.calls import Access, CallFacts, HookAnswer, Hooks, PathUse
from assent.model.grants import DirectoryGrant, Grant
from assent.model.modes import Category, Mode, graver, tightest
from assent.model.verdict import Decision, Outcome, Reason
from assent.policy.answer import Answer
from assent.policy.decide import LADDER, Rules, decide, effective_category, is_raised
from assent.policy.matrix import MATRIX, Cell, cell
from assent.policy.protected import is_secret, protection
from assent.policy.rules.rule import Effect, Rule
from tests.support.ladder import (
    DIRECTORY_GRANTS,
    FACTS,
    KEY,
    OVERRIDES,
    PATH_USES,
    RULES,
    book,
    law,
    path,
    rule,
    rules_of,
)
from tests.support.trials import GRANTS, require_like_ladder

ALWAYS_DENIES, ALWAYS_ASKS = (st.just(rule(effect)) for effect in (Effect.DENY, Effect.ASK))
HOW_MUCH = {Outcome.ERROR: 0, Outcome.BLOCK: 0, Outcome.ASK: 1, Outcome.NEED_HOOKS: 1, Outcome.RUN: 2}


def permits(facts: CallFacts, rules: Rules) -> int:
    return HOW_MUCH[decide(facts, rules).outcome]


@law
@given(FACTS, RULES)
def test_it_always_answers_and_always_the_same(facts: CallFacts, rules: Rules) -> None:
    first = decide(facts, rules)

    assert first == decide(facts, rules)
    assert first.text


@law
@given(FACTS, RULES)
def test_the_trace_ends_with_the_only_step_that_matched(facts: CallFacts, rules: Rules) -> None:
    decision = decide(facts, rules)
    *before, last = decision.trace

    assert last.matched
    assert last.note == decision.text
    assert not any(step.matched for step in before)
    assert [step.level for step in decision.trace] == sorted({step.level for step in decision.trace})


@law
@given(FACTS, RULES)
def test_plan_runs_nothing_but_reading_and_what_is_internal(facts: CallFacts, rules: Rules) -> None:
    decision = decide(facts, replace(rules, mode=Mode.PLAN))

    if effective_category(facts) not in (Category.READ, Category.INTERNAL):
        assert decision.outcome in (Outcome.BLOCK, Outcome.ERROR)


@law
@given(FACTS, RULES)
def test_taking_something_away_never_permits_more(facts: CallFacts, rules: Rules) -> None:
    now = permits(facts, rules)

    assert permits(facts, replace(rules, session_grants=frozenset())) <= now
    for grant in rules.session_grants:
        assert permits(facts, replace(rules, session_grants=rules.session_grants - {grant})) <= now
    assert permits(facts, replace(rules, always_allowed=frozenset())) <= now
    for tool in rules.always_allowed:
        assert permits(facts, replace(rules, always_allowed=rules.always_allowed - {tool})) <= now
    assert permits(facts, replace(rules, chat_tools=frozenset())) <= now
    for at in range(len(rules.directory_grants)):
        fewer = rules.directory_grants[:at] + rules.directory_grants[at + 1 :]
        assert permits(facts, replace(rules, directory_grants=fewer)) <= now
    assert permits(facts, replace(rules, sandbox_auto=False)) <= now
    assert permits(replace(facts, sandbox=None), rules) <= now
    assert permits(facts, replace(rules, bypass_agent=False)) <= now
    assert permits(facts, replace(rules, bypass_session=False)) <= now
    assert permits(facts, replace(rules, bypass_available=False)) <= now
    assert permits(facts, replace(rules, confirm_outside_workspace=True)) <= now
    assert permits(facts, replace(rules, enabled=False)) <= now
    assert permits(facts, replace(rules, alive=False)) == 0
    assert permits(facts, replace(rules, own_places=(*rules.own_places, "/my project/src"))) <= now
    more = (*rules.named_by_commands, "/my project/src/a.py", "/etc/hosts")
    assert permits(facts, replace(rules, named_by_commands=more)) <= now


@law
@given(FACTS, RULES, rules_of(Effect.DENY, Effect.ASK), st.integers(0, 4))
def test_one_more_restriction_never_permits_more(facts: CallFacts, rules: Rules, rule: Rule, place: int) -> None:
    now = permits(facts, rules)
    more = list(rules.book.rules)
    more.insert(place, rule)

    assert permits(facts, replace(rules, book=book(*more))) <= now
    assert permits(facts, replace(rules, chat_book=book(*rules.chat_book.rules, rule))) <= now


@law
@given(FACTS, RULES)
def test_one_permission_less_never_permits_more(facts: CallFacts, rules: Rules) -> None:
    now = permits(facts, rules)
    for at, one in enumerate(rules.book.rules):
        if one.effect is Effect.ALLOW:
            fewer = rules.book.rules[:at] + rules.book.rules[at + 1 :]
            assert permits(facts, replace(rules, book=book(*fewer))) <= now
    for at, one in enumerate(rules.chat_book.rules):
        if one.effect is Effect.ALLOW:
            fewer = rules.chat_book.rules[:at] + rules.chat_book.rules[at + 1 :]
            assert permits(facts, replace(rules, chat_book=book(*fewer))) <= now


@law
@given(FACTS, RULES, rules_of(Effect.DENY) | ALWAYS_DENIES, st.sampled_from(Mode))
def test_what_a_deny_rule_speaks_of_never_runs_and_is_never_asked(
    facts: CallFacts, rules: Rules, rule: Rule, mode: Mode
) -> None:
    ruled = replace(rules, book=book(*rules.book.rules, rule))
    clicked = replace(rules, chat_book=book(*rules.chat_book.rules, rule))
    everything = replace(
        ruled,
        mode=mode,
        matrix_overrides={one: dict.fromkeys(Category, Cell.AUTO) for one in Mode},
        directory_grants=tuple(DirectoryGrant(place, Access.DELETE) for place in ("/my project", "/etc", "/home/me")),
        chat_tools=frozenset({facts.tool}),
        sandbox_auto=True,
        beside=frozenset(),
        bypass_available=True,
        bypass_agent=True,
        bypass_session=True,
        session_grants=frozenset({facts.grant_key}),
        always_allowed=frozenset({facts.tool}),
    )

    if ruled.book.first(Effect.DENY, facts, rules.agent_name) is not None:
        assert permits(facts, ruled) == permits(facts, clicked) == permits(facts, everything) == 0
        sure = replace(facts, hooks=Hooks(HookAnswer.ALLOW), sandbox="bubblewrap")
        assert permits(sure, everything) == 0


@law
@given(FACTS, RULES, rules_of(Effect.ASK) | ALWAYS_ASKS)
def test_what_an_ask_rule_speaks_of_never_runs_unasked(facts: CallFacts, rules: Rules, rule: Rule) -> None:
    ruled = replace(rules, book=book(*rules.book.rules, rule))

    if ruled.book.first(Effect.ASK, facts, rules.agent_name) is not None:
        assert decide(facts, ruled).outcome is not Outcome.RUN


@law
@given(FACTS, RULES)
def test_the_rule_that_is_named_is_one_of_the_book_and_none_is_named_without_cause(
    facts: CallFacts, rules: Rules
) -> None:
    decision = decide(facts, rules)

    by_rule = {
        Reason.DENIED_BY_RULE: Effect.DENY,
        Reason.ASK_RULE: Effect.ASK,
        Reason.ALLOW_RULE: Effect.ALLOW,
    }
    effect = by_rule.get(decision.reason)
    if decision.rule is None:
        asked_by_hook = decision.reason is Reason.ASK_RULE and facts.hooks.answer is HookAnswer.ASK
        assert effect is None or asked_by_hook
    else:
        assert effect is not None
        named = (effect, decision.rule.pattern)
        assert named in [(rule.effect, rule.pattern) for rule in (*rules.book.rules, *rules.chat_book.rules)]


@law
@given(FACTS, RULES)
def test_a_mode_beside_another_never_permits_more(facts: CallFacts, rules: Rules) -> None:
    now = permits(facts, rules)
    for mode in Mode:
        both = {rules.mode, *rules.beside, mode}
        assert permits(facts, replace(rules, mode=tightest(both), beside=frozenset(both))) <= now


@law
@given(FACTS, RULES)
def test_a_graver_category_never_permits_more(facts: CallFacts, rules: Rules) -> None:
    now = permits(facts, rules)
    for category in Category:
        if graver(category, facts.category) is category:
            assert permits(replace(facts, category=category), rules) <= now


@law
@given(FACTS, RULES, PATH_USES)
def test_one_more_path_never_permits_more(facts: CallFacts, rules: Rules, use: PathUse) -> None:
    # A call that shows no path at all is another thing: nothing that is granted for a directory can speak of it.
    if facts.paths:
        assert permits(replace(facts, paths=(use, *facts.paths)), rules) <= permits(facts, rules)


@law
@given(FACTS, RULES, PATH_USES.filter(lambda use: use.access in (Access.WRITE, Access.DELETE)))
def test_a_protected_change_never_runs(facts: CallFacts, rules: Rules, use: PathUse) -> None:
    decision = decide(replace(facts, paths=(*facts.paths, use)), rules)

    if protection(use.real):
        assert decision.outcome is not Outcome.RUN


@law
@given(FACTS, RULES, PATH_USES.filter(lambda use: use.access is not Access.READ))
def test_a_change_outside_never_runs_where_that_is_confirmed(facts: CallFacts, rules: Rules, use: PathUse) -> None:
    sure = replace(rules, confirm_outside_workspace=True, directory_grants=())
    decision = decide(replace(facts, paths=(*facts.paths, use)), sure)

    if not use.inside:
        assert decision.outcome is not Outcome.RUN


@law
@given(FACTS, RULES)
def test_what_is_unknown_malformed_stopped_or_too_much_is_neither_run_nor_asked(facts: CallFacts, rules: Rules) -> None:
    calls = (facts, *facts.steps)
    bad = (
        any(not call.known or call.arguments_fault is not None for call in calls)
        or not rules.alive
        or not rules.enabled
        or rules.exhausted_limit is not None
    )
    if bad:
        assert decide(facts, rules).outcome is Outcome.ERROR
        assert decide(replace(facts, hooks=Hooks(HookAnswer.PENDING)), rules).outcome is Outcome.ERROR
    else:
        assert decide(facts, rules).outcome is not Outcome.ERROR


@law
@given(FACTS, RULES)
def test_no_bypass_counts_where_none_is_available(facts: CallFacts, rules: Rules) -> None:
    decision = decide(facts, replace(rules, bypass_available=False))

    assert decision.reason not in (Reason.BYPASS_AGENT, Reason.BYPASS_SESSION)


@law
@given(FACTS)
def test_what_a_call_touches_only_raises_its_category(facts: CallFacts) -> None:
    assert graver(effective_category(facts), facts.category) is effective_category(facts)


@law
@given(FACTS, RULES)
def test_hooks_that_wait_are_asked_before_anything_is_asked_or_run(facts: CallFacts, rules: Rules) -> None:
    """And never for a call that an earlier rung settles: what is denied anyway starts no program."""
    silent = decide(replace(facts, hooks=Hooks()), rules)
    pending = decide(replace(facts, hooks=Hooks(HookAnswer.PENDING)), rules)

    if silent.trace[-1].level < 7:
        assert pending == silent
    else:
        assert pending.outcome is Outcome.NEED_HOOKS


@law
@given(FACTS, RULES)
def test_what_hooks_say_only_tightens_but_for_the_mark_which_only_lifts_a_question(
    facts: CallFacts, rules: Rules
) -> None:
    def now(answer: HookAnswer) -> Decision:
        return decide(replace(facts, hooks=Hooks(answer)), rules)

    silent = now(HookAnswer.NONE)
    assert HOW_MUCH[now(HookAnswer.DENY).outcome] == 0
    assert HOW_MUCH[now(HookAnswer.ASK).outcome] <= min(1, HOW_MUCH[silent.outcome])
    assert (now(HookAnswer.NOTHING).outcome, now(HookAnswer.NOTHING).reason) == (silent.outcome, silent.reason)
    marked = now(HookAnswer.ALLOW)
    if marked.reason is Reason.HOOK_ALLOW:
        assert silent.reason in (Reason.NEEDS_APPROVAL, Reason.MODE_AUTO, Reason.SANDBOXED)
    else:
        assert (marked.outcome, marked.reason, marked.text) == (silent.outcome, silent.reason, silent.text)


@law
@given(FACTS, RULES, st.lists(DIRECTORY_GRANTS, max_size=3))
def test_a_directory_for_the_chat_lifts_only_questions_about_paths_in_it(
    facts: CallFacts, rules: Rules, grants: list[DirectoryGrant]
) -> None:
    before = decide(facts, replace(rules, directory_grants=()))
    after = decide(facts, replace(rules, directory_grants=tuple(grants)))

    if (before.outcome, before.reason) != (after.outcome, after.reason):
        assert before.reason in (
            Reason.OUTSIDE_WORKSPACE,
            Reason.NEEDS_APPROVAL,
            Reason.MODE_AUTO,
            Reason.SANDBOXED,
        ) or (before.reason is Reason.HOOK_ALLOW)
        named = [grant.directory.rstrip("/") for grant in grants if grant.directory.strip("/")]
        reached = [use.real for use in facts.paths if any(use.real.startswith(f"{place}/") for place in named)]
        same = [use.real for use in facts.paths if use.real in named]
        assert reached or same
        if after.reason is Reason.SESSION_ALLOW:
            assert len(reached) + len(same) == len(facts.paths)
            assert not any(is_secret(use.real) for use in facts.paths)
            assert facts.category in (Category.READ, Category.WRITE)


@law
@given(PATH_USES.filter(lambda use: use.access is not Access.READ), RULES)
def test_a_directory_that_may_be_read_lets_nothing_be_changed(use: PathUse, rules: Rules) -> None:
    facts = CallFacts(KEY, True, Category.WRITE, (use,))
    grants = tuple(DirectoryGrant(place, Access.READ) for place in ("/data", "/etc", "/my project", "/home/me"))

    assert permits(facts, replace(rules, directory_grants=grants)) == permits(
        facts, replace(rules, directory_grants=())
    )


@law
@given(FACTS, RULES, st.sampled_from([".env", "id_rsa", "/etc/hosts"]))
def test_what_is_raised_runs_by_no_grant_for_its_tool_or_key(facts: CallFacts, rules: Rules, place: str) -> None:
    facts = replace(facts, paths=(*facts.paths, path(place)))
    assert is_raised(facts)
    bare = replace(rules, session_grants=frozenset(), always_allowed=frozenset(), chat_tools=frozenset())

    assert decide(facts, rules) == decide(facts, bare)


@law
@given(st.frozensets(st.sampled_from(Mode), min_size=1), st.sampled_from(Category), OVERRIDES)
def test_an_override_cannot_touch_plan_or_what_is_internal_and_blocks_nothing(
    modes: frozenset[Mode], category: Category, overrides: dict[Mode, dict[Category, Cell]]
) -> None:
    now = cell(modes, category, overrides)

    if category is Category.INTERNAL:
        assert now is Cell.AUTO
    elif Mode.PLAN in modes and category is not Category.READ:
        assert now is Cell.BLOCK
    elif Mode.PLAN not in modes:
        assert now is not Cell.BLOCK
    # Modes that hold together are never looser than each of them with its own overrides.
    alone = [cell({mode}, category, overrides) for mode in modes]
    order = [Cell.AUTO, Cell.ASK, Cell.BLOCK]
    assert now is max(alone, key=order.index)
    if not any(category in overrides.get(mode, {}) for mode in modes):
        assert now is max((MATRIX[mode, category] for mode in modes), key=order.index)


@law
@given(FACTS, RULES)
def test_an_unknown_category_is_external_and_an_unknown_mode_the_strictest(facts: CallFacts, rules: Rules) -> None:
    strange = replace(facts, category="teleport")  # type: ignore[arg-type]
    assert decide(strange, rules) == decide(replace(facts, category=Category.EXTERNAL), rules)

    unheard = decide(facts, replace(rules, mode="yolo", bypass_agent=False, bypass_session=False))  # type: ignore[arg-type]
    strictest = replace(rules, beside=rules.beside | {Mode.PLAN, Mode.ASK}, bypass_agent=False, bypass_session=False)
    assert HOW_MUCH[unheard.outcome] <= permits(facts, strictest)


@law
@given(FACTS, RULES)
def test_a_trace_can_be_replayed(facts: CallFacts, rules: Rules) -> None:
    """Each rung says again what the trace says of it, and the last one gives the decision."""
    decision = decide(facts, rules)
    rungs = {level: rung for level, _, rung in LADDER}
    for step in decision.trace:
        answer = rungs[step.level](facts, rules)
        assert isinstance(answer, Answer) is step.matched
        if isinstance(answer, Answer):
            assert (answer.outcome, answer.reason, answer.situation, answer.rule) == (
                decision.outcome,
                decision.reason,
                decision.situation,
                decision.rule,
            )


@law
@given(FACTS, RULES, st.sampled_from(Effect), st.sampled_from(["user", "workspace", "folder"]), st.integers(1, 999))
def test_the_trace_says_where_the_rule_stands(
    facts: CallFacts, rules: Rules, effect: Effect, scope: str, line: int
) -> None:
    ruling = Rule(effect, KEY, "*", scope, "/settings.json", line)
    decision = decide(facts, replace(rules, book=book(ruling), chat_book=book()))

    if decision.rule is not None:
        assert (decision.rule.scope, decision.rule.file, decision.rule.line) == (scope, "/settings.json", line)
        assert f"/settings.json, line {line}" in decision.trace[-1].note and "'*'" in decision.trace[-1].note


@law
@given(FACTS, RULES, FACTS)
def test_deciding_leaves_nothing_behind(facts: CallFacts, rules: Rules, other: CallFacts) -> None:
    """What was decided, or agreed to once, about one call says nothing about the next."""
    first = decide(facts, rules)
    decide(other, rules)

    assert decide(facts, rules) == first


@law
@given(FACTS, RULES, GRANTS)
def test_a_grant_that_is_tried_does_what_it_would_do(facts: CallFacts, rules: Rules, grants: list[Grant]) -> None:
    require_like_ladder(facts, rules, grants)
