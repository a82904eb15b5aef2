"""Words: quotes, escapes, expansions, braces."""

import pytest

from assent.commandline.syntax import tree
from assent.commandline.syntax.parser import parse
from tests.unit.commandline.syntax.drawing import drawn

WORDS = [
    ("a", "a"),
    ("'a b'", "'a b'"),
    ("a'b'c", "a'b'c"),
    (r"a\ b", "a' 'b"),
    (r"\'", "'''"),
    ("''", "''"),
    ('""', "''"),
    ('""$x', "''<x>"),
    ('~""/x', "~''/x"),
    ("a\\\nb", "ab"),
    ('"a\\\nb"', "'ab'"),
    ("'a\\\nb'", "'a\\\nb'"),
    (r'"a\$b\`c\"d\\e\f"', r"""'a$b`c"d\e\f'"""),
    ('"$"', "'$'"),
    ("\"$'a'\"", "'$'a''"),
    ("$", "$"),
    ("a$/b", "a$/b"),
    ("a#b", "a#b"),
    ("a=b=c", "a=b=c"),
    ("é\u00a0ü", "é\u00a0ü"),
    ('$"a $x"', "'a '\"<x>\""),
    (r"$'a\tb\'\\'", "'a\tb'\\'"),
    (r"$'\x41\102\u0043\U00000044\ca'", "'ABCD\x01'"),
    (r"$'rm\x00 nothing'", "'rm'"),
    (r"$'\xc3\xa9'", "'é'"),
    (r"$'\q\x\u'", r"'\q\x\u'"),
    ("$x$1$10$@", "<x><1><1>0<@>"),
    ("$x.y", "<x>.y"),
    ('"$x"', '"<x>"'),
    ("$# $? $$ $! $- $_ $0 $*", "<#> <?> <$> <!> <-> <_> <0> <*>"),
    ("${x}${10}${@}${#}${?}", "<x><10><@><#><?>"),
    ("${x[1]}${x[@]}${x[$i]}", '<x[1]><x[@]><x["<i>"]>'),
    ("${#x}${#x[@]}${#@}", "<x length><x[@] length><@ length>"),
    ("${!x}${!x*}${!x@}${!x[@]}", "<x indirect><x indirect *><x indirect @><x[@] indirect>"),
    ("${x:-a b}${x:=c}${x:?d}${x:+e}", "<x :- a b><x := c><x :? d><x :+ e>"),
    ("${x-a}${x=b}${x?c}${x+d}", "<x - a><x = b><x ? c><x + d>"),
    ("${x-}", "<x - ''>"),
    ("${x#a*}${x##b}${x%c}${x%%d}", "<x # a*><x ## b><x % c><x %% d>"),
    ("${x/a/b}${x//a/b}${x/#a/b}${x/%a/b}", "<x / a/b><x // a/b><x /# a/b><x /% a/b>"),
    ("${x^}${x^^}${x,a}${x,,}", "<x ^ ''><x ^^ ''><x , a><x ,, ''>"),
    ("${x@Q}${x@P}${x[@]@A}", "<x @Q><x @P><x[@] @A>"),
    ("${x:1:2}${x: -1}${x:$n}", "<x : '1:2'><x : ' -1'><x : \"<n>\">"),
    ("${x:-$(a)${y:-z}}", "<x :- <$ [a]><y :- z>>"),
    ("${x:-'}'\"}\"\\}}", "<x :- '}}}'>"),
    ('"${x:-a b}"', "\"<x :- 'a b'>\""),
    ('"${x:-"a b"}"', "\"<x :- 'a b'>\""),
    (r'"${x:-a\}b\"c\d}"', '"<x :- \'a}b"c\\d\'>"'),
    ("\"${x#'*'}\"", "\"<x # '*'>\""),
    ("$(a)", "<$ [a]>"),
    ("$()", "<$ >"),
    ("$(<f)", "<$ [<f]>"),
    ("$(a; b) $( (a) )", "<$ [a] [b]> <$ ([a])>"),
    ('"$(a "b c")"', "\"<$ [a 'b c']>\""),
    ("$(a $(b $(c)))", "<$ [a <$ [b <$ [c]>]>]>"),
    ("$(case x in a) b;; esac)", "<$ case x in a) [b] esac>"),
    ("$(a # )\n)", "<$ [a]>"),
    ("`a`", "<$ [a]>"),
    (r"`a \`b \\\`c\\\`\``", "<$ [a <$ [b <$ [c]>]>]>"),
    (r'"`a \"b\"`"', "\"<$ [a 'b']>\""),
    (r"`a \"b\"`", "<$ [a '\"'b'\"']>"),
    (r"`a '\$x' \$y`", "<$ [a '$x' <y>]>"),
    ("$((1 + $x * (2)))", "<= '1 + '\"<x>\"' * (2)'>"),
    ("$(( `a` ))", "<= ' '\"<$ [a]>\"' '>"),
    ("<(a) >(b)", "<in [a]> <out [b]>"),
    ("{a,b}", "{a,b}"),
    ("x{a,b}y", "x{a,b}y"),
    ("{a,{b,c}d}", "{a,{b,c}d}"),
    ("{,a}", "{'',a}"),
    ("{1..3}", "{1,2,3}"),
    ("{3..1}", "{3,2,1}"),
    ("{01..3}", "{01,02,03}"),
    ("{a..e..2}", "{a,c,e}"),
    ("{-1..1}", "{-1,0,1}"),
    ("{$x,'a b'}", "{<x>,'a b'}"),
    ("{a}", "{a}"),
    ("{}", "{}"),
    ("x@{1}", "x@{1}"),
    ("{a}{b,c}", "{a}{b,c}"),
    ("'{a,b}'", "'{a,b}'"),
    (r"\{a,b}", "'{'a,b}"),
    ('{a","b}', "{a','b}"),
    ("{a..}", "{a..}"),
]


@pytest.mark.parametrize(("text", "expected"), WORDS)
def test_a_word_is_read_as_bash_reads_it(text, expected):
    assert drawn(f"c {text}") == f"[c {expected}]"


def test_nodes_know_where_they_were_written():
    text = "a  'b c' $(d e) >f"
    simple = parse(text).items[0][0].commands[0]
    assert isinstance(simple, tree.Simple)
    assert [text[word.start : word.end] for word in simple.words] == ["a", "'b c'", "$(d e)"]
    substitution = simple.words[2].pieces[0]
    assert isinstance(substitution, tree.Substitution)
    inner = substitution.body.items[0][0].commands[0]
    assert text[inner.start : inner.end] == "d e"
    assert text[simple.redirects[0].start : simple.redirects[0].end] == ">f"


def test_text_that_was_unescaped_has_the_place_it_was_taken_from():
    text = r"a `b \`c\`` d"
    simple = parse(text).items[0][0].commands[0]
    assert isinstance(simple, tree.Simple)
    substitution = simple.words[1].pieces[0]
    assert isinstance(substitution, tree.Substitution)
    inner = substitution.body.items[0][0].commands[0]
    assert text[inner.start : inner.end] == r"b \`c\`"
