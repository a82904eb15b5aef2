# ruff: noqa: E501
"""What is not fully known is refused, with a reason, and never with another fault."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from assent.commandline.syntax.parser import parse
from assent.commandline.syntax.tree import NotUnderstood
from tests.support.scale import examples

REFUSED = [
    *("'", '"', "a 'b", 'a "b', "$'", r"$'\'", '"$(', '"$("', '"`', "`", "`a", r"`a\`", "`a `b` c` d`", "$(", "$(a", "$(a))"),
    *("${", "${x", "${x:-", "${x:-'}", "${}", "${-x}", "${ x}", "${x y}", "${x@}", "${x@Z}", "${!x:-y}", "${x[}", "${x[]}"),
    *("${1[0]}", "${x~}", "${#x:-y}", "${x:-{a,b}}", "${x:-<(a)}", "\"${x:-'a'}\"", "\"${x/'a'/b}\"", "${?:-x}"),
    *("$[1]", "$((", "$((1)", "$((1) )", "$((a); (b))", "$(( '1' ))", "((", "((1)", "((1) )", "((a); b)", "((${x:-)}<(a)))", "$((${x:-(}))", "$((x[\"y\"]))"),
    *("(", ")", "()", "(a", "a)", "(a) b", "a (b)", "a b ()", "a(b)", "{", "}", "{ a", "{ a }", "{ }", "{ a; } b"),
    *("{ { a; } >f }", "if", "if a", "if a; then", "if a; then fi", "if a; then b", "if; then a; fi", "then a", "fi", "else"),
    *("if a; then b; fi c", "if a; then b; else fi", "while a; do b", "while a; done", "do a; done", "done", "while do a; done"),
    *("for", "for x", "for x in a", "for 1 in a; do b; done", "for x in a & do b; done", "for x in a; { b; }", "for 'x' in a; do b; done"),
    *("for (a) do b; done", "for ((a;b)); do c; done", "for x\n; do a; done", "for $x in a; do b; done"),
    *("case", "case x", "case x in", "case x in a", "case x in a)", "case x in a) b", "case x in a) b;;", "case x in |a) b;; esac"),
    *("case x in a|) b;; esac", "case x in (esac) b;; esac", "case x in a b) c;; esac", "esac", "in"),
    *(";", ";;", "a;;b", "; a", "a ; ; b", "&", "& a", "a & & b", "a &&", "a ||", "&& a", "a && && b", "a &&& b", "a ||| b", "|", "a |"),
    *("| a", "a | | b", "a | ! b", "! ! a", "!", "time", "time -x a", "time time a", "! time", "!(a)", "@(a|b)", "a?(b)", "a !(b)"),
    *(">", "> ", "a >", "a > > b", "a >; b", "a > (b)", "a > {b,c}", "a 2>", ">&", "a >&-b", "a <<<", "a <&", "a 99999>f", "a {x[1]}>f"),
    *("a >1>f", "a <<<1>f", "a <(b", "a <(b)c", "a b<(c)", "a 2>(b)", "a=<(b)", "a >>(b)"),
    *("a <<", "a <<E", "a <<E\n", "a <<E\nb", "a <<E\nb\nE ", "a <<E\nb\n E", "a <<-E\n  E", "a <<'E\nb\nE", "a <<$E\nb\n$E", "a <<''\n\n"),
    *("a <<$(b)\nc\n$(b)", "a <<E $(b\n)\nE", "$(a <<E)\nE", "$(a <<E\nb\nE)", "a <<E\n$(\nE", "a <<E\n${\nE", "a <<E\n`\nE", "a <<E <<F\nE"),
    *("a <<E\n\"${x:-'b'}\"\nE", "x=(a <<E\n)\nE", "[[ a <<E\n]]\nE"),
    *("x=(", "x=(a", "x=(a;b)", "x=(a)b", "x=([1]=a)", "x[=1", "x[1 2]=3", "x[1]", "x[a[1]]=2", "x[1]=(a)", "x['$(a)']=1", "${x['$(a)']}", "x[\"\\$(a)\"]=1", "declare x=(a)", "export x=(a)", "a x=(b)"),
    *("[[", "[[ ]]", "[[ a", "[[ a b ]]", "[[ a && ]]", "[[ -f ]]", "[[ (a ]]", "[[ a ]] b", "[[ a == ]]", "[[ a =~ ]]", "[[ a =~ (b ]]"),
    *("[[ a == @(b|c) ]]", "[[ a << b ]]", "]]", "[[ a\n== b ]]", "[[ a\n]]", "[[ (a\n) ]]"),
    *("f(", "f()", "f() a", "f() { a; } b", "x=1 f() { a; }", ">f g() { a; }", "'f'() { a; }", "$f() { a; }", "f/g() { a; }", "if() { a; }"),
    *("function", "function f", "function f a", "function 'f' { a; }", "function f{ a; }"),
    *("coproc a", "select x in a; do b; done", "x=1 if a", ">f {", "i\\\nf a; then b; fi", "a\\\n=b", "$a\\\nb", "$\\\na", "a <\\\n(b)", "(\\\n(a))"),
    *("a\\", "\\", "a\rb", "a\x0bb", "a\x00b", "'a\x00b'", "a\x7f", "a\x01", "\ud800", "a\x1bb", r"$'\x{41}'", r"$'\x80'", r"$'\ud800'", r"$'\c\\'"),
    *("{a,b}{}", "{1..999}", "{a..Z}", "{a,b}$", "$x{a,b}", "{$x,b}c", "{a,${x:-b}}", "{1..3}{1..100}", "{a..{b,c}}", "{1..99999999999}"),
    *('"${u:-"{a,b}"}"', '"`a "b"`"{c,d}', "`a\\\nb`"),
    *("(" * 500, "{ " * 500, "$(" * 500, "`" * 501, '"$(' * 500, "${x:-" * 500, "$((" * 500, "{" * 500, "if " * 500, "! " * 500, "[[ ( " + "( " * 500),
    *("a <<E\n" * 300, "f() " * 300, "case x in a) " * 300, "<(" * 300),
]  # fmt: skip


@pytest.mark.parametrize("text", REFUSED)
def test_what_is_not_known_is_refused_with_a_reason(text):
    with pytest.raises(NotUnderstood) as caught:
        parse(text)
    assert caught.value.reason
    assert 0 <= caught.value.at <= len(text)


ONLY_BASH = [
    *("$'a'", '$"a"', "a {b,c}", "a {1..3}", "[[ a ]]", "((1))", "x=(a)", "x[1]=a", "x+=a", "a <<<b", "a &>f", "a &>>f", "a >&f", "a 2>&1>f"),
    *("a <(b)", "a >(b)", "function f { a; }", "a |& b", "${x//a/b}", "${x/a}", "${x:1}", "${!x}", "${x^}", "${x@Q}", "${x[1]}"),
    *("time a", "{fd}>f", "for ((;;)); do a; done", "case x in a) b;& c) d;; esac", "a-b() { c; }", "export() { a; }"),
    *('"${x:-"a"}"', '"`a "b"`"', "a <<E\nb\\\nc\nE"),
]  # fmt: skip


@pytest.mark.parametrize("text", ONLY_BASH)
def test_what_a_plain_sh_reads_differently_is_refused_for_it(text):
    parse(text)
    with pytest.raises(NotUnderstood):
        parse(text, posix=True)


@pytest.mark.parametrize(
    "text",
    [
        *(
            "a && b | c > d 2>&1",
            "if a; then b; fi",
            "for x in a b; do c; done",
            "case x in (a) b;; esac",
            "f() { a; }",
        ),
        *('${x:-a} ${x%%b} ${#x} "$@" $((1 + 2)) `a` $(b)', "a <<E\n$x\nE", "x=1 a", "a {b} {}", "! a", "(a) & b"),
    ],
)
def test_what_every_sh_reads_alike_is_read_alike(text):
    assert parse(text, posix=True) == parse(text)


def test_as_many_constructs_in_each_other_as_allowed_need_no_more_stack_than_there_is():
    parse("$(" * 40 + "a" + ")" * 40)
    parse('"$(' * 40 + "a" + ')"' * 40)
    parse("{ " * 40 + "a" + "; }" * 40)


NASTY = [
    *"'\"\\$`(){}[]<>|&;#!~*?=+-@:/%^,. \t\n\r\x00\x01abEx01é\ud800",
    *("$(", "${", "$((", "))", "$'", "<<E", "<<-'E'", "\nE\n", "<(", ">&", "&>", "[[ ", " ]]", "=~ ", "((", "\\\n", "{a,b}", "{1..9}"),
    *("if ", "then ", "elif ", "else ", "fi", "for x in ", "do ", "done", "while ", "case x in ", "esac", ";;", ";&", "function f ", "f()"),
    *("time ", "! ", "x=", "x=(", "x[", "${x:-", "${x[", "${!x", "${#", "coproc ", "select ", "{fd}>", "2>", "|&", "`"),
]  # fmt: skip


@settings(max_examples=examples(2000), deadline=None)
@given(st.lists(st.sampled_from(NASTY), max_size=25).map("".join), st.booleans())
@example("x=(" * 3, False)
def test_no_text_brings_another_fault_than_a_refusal(text, posix):
    try:
        parse(text, posix=posix)
    except NotUnderstood as refusal:
        assert refusal.reason
