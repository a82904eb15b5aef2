"""Commands: sequences, pipelines, compound commands, redirections, here-documents."""

import pytest

from assent.commandline.syntax import tree
from assent.commandline.syntax.parser import parse
from tests.unit.commandline.syntax.drawing import drawn

COMMANDS = [
    ("", ""),
    (" \t\n\n", ""),
    ("# only this", ""),
    ("a b # c", "[a b]"),
    ("a;b", "[a] [b]"),
    ("a;", "[a]"),
    ("a\n\n b\n", "[a] [b]"),
    ("a && b || c & d", "[a] && [b] || [c] & [d]"),
    ("a &&\n\n# c\nb", "[a] && [b]"),
    ("a &\\\n& b", "[a] && [b]"),
    ("a \\\n  b", "[a b]"),
    ("a \\\n# c\nb", "[a] [b]"),
    ("a # c \\\nb", "[a] [b]"),
    ("a | b |\n c", "[a] | [b] | [c]"),
    ("a |& b", "[a 2>&1] | [b]"),
    ("{ a; } >f |& b", "{[a]} >f 2>&1 | [b]"),
    ("! a | b", "! [a] | [b]"),
    ("time a", "[a]"),
    ("time -p a | b", "[a] | [b]"),
    ("x=1 time a", "[x:=1 time a]"),
    ("{ a; b; }", "{[a] [b]}"),
    ("{ { a; } }", "{{[a]}}"),
    ("(a;b)", "([a] [b])"),
    ("( (a) )", "(([a]))"),
    ("{a", "[{a]"),
    ("a }", "[a }]"),
    ("a if then fi", "[a if then fi]"),
    ("'if' a", "['if' a]"),
    (r"\if a", "['i'f a]"),
    ("if a; then b; fi", "if [a] then [b] fi"),
    ("if a\nthen b\nelif c; d\nthen e; else f\nfi >g", "if [a] then [b] if [c] [d] then [e] else [f] fi >g"),
    ("if { a; } then b; fi", "if {[a]} then [b] fi"),
    ("while a; do b; done <f", "while [a] do [b] done <f"),
    ("until a\ndo b & done", "while [a] do [b] & done"),
    ("for x in a 'b c' $d; do e; done", "for x in a,'b c',<d> do [e] done"),
    ("for x in {a,b}\ndo\nc\ndone", "for x in {a,b} do [c] done"),
    ("for x in; do a; done", "for x in  do [a] done"),
    ("for x do a; done", "for x do [a] done"),
    ("for x; do a; done", "for x do [a] done"),
    ("for ((i=0; i<3; i++)); do a; done", "for (('i=0; i<3; i++')) do [a] done"),
    ("for ((;;)) do a; done", "for ((';;')) do [a] done"),
    ("case $x in a|b) c;; (d*) ;; *) e\nesac", "case <x> in a|b) [c]; d*) ; *) [e] esac"),
    ("case x in esac", "case x in  esac"),
    ("case x\nin\na)\nb\n;;\n\nesac", "case x in a) [b] esac"),
    ("case x in a) b;& c) d;; e) f; esac", "case x in a) [b] [d]; c) [d]; e) [f] esac"),
    ("case x in a) b;;& c) d;; esac", "case x in a) [b] case x in c) [d] esac; c) [d] esac"),
    ("f() { a; }", "function f {[a]}"),
    ("f ( )\n( a ) >g", "function f ([a]) >g"),
    ("function f (a)", "function f ([a])"),
    ("function f { a; }", "function f {[a]}"),
    ("function f () { a; }; f", "function f {[a]} [f]"),
    ("my-f.x() if a; then b; fi", "function my-f.x if [a] then [b] fi"),
    ("((x++))", "(('x++'))"),
    ("((x++)) && a", "(('x++')) && [a]"),
    ("[[ -f a && $x == b* ]]", "[[-f a && <x> == b*]]"),
    ("[[ ( a || ! -n b ) ]]", "[[( a || ! -n b )]]"),
    ("[[ a < b && c > d ]]", "[[a < b && c > d]]"),
    ("[[ $x =~ ^(a b|c)+$ ]]", "[[<x> =~ ^(a b|c)+$]]"),
    ("[[ $x =~ a\\ b'c d' ]]", "[[<x> =~ a' 'b'c d']]"),
    ("[[\n -n a\n&&\nb == c\n]]", "[[-n a && b == c]]"),
    ("[[ a ]] >f", "[[a]] >f"),
    ("x=1", "[x:=1]"),
    ("x= y", "[x:='' y]"),
    ("x=1 y+=2 z[3]=4 a b=c", "[x:=1 y+:=2 z[3]:=4 a b=c]"),
    ("m['a b']=c m[$k]+=d", "[m['a b']:=c m[\"<k>\"]+:=d]"),
    ("x=(a 'b c'\n {d,e} # f\n) y=()", "[x:=(a 'b c' {d,e}) y:=()]"),
    ("x={a,b}", "[x:={a,b}]"),
    ("'x'=1", "['x'=1]"),
    (r"x\=1", "[x'='1]"),
    ("1x=2", "[1x=2]"),
    ("export x=1", "[export x=1]"),
    (">f a <g b 2>>h", "[a b >f <g 2>>h]"),
    ("a>f", "[a >f]"),
    ("a 2>f", "[a 2>f]"),
    ("a 2 >f", "[a 2 >f]"),
    ("a '2'>f", "[a '2' >f]"),
    ("a 2>&1 >&2 <&- 3<&4-", "[a 2>&1 >&2 <&- 3<&4-]"),
    ("a >&f &>g &>>h >|i <>j", "[a >&f &>g &>>h >|i <>j]"),
    ("a {fd}>f", "[a fd>f]"),
    ("a <<<'b c' <<< $d", "[a <<<'b c' <<<<d>]"),
    ("a <<<{b,c}", "[a <<<{b,c}]"),
    ("a < <(b)", "[a <<in [b]>]"),
    ("a&>f&b", "[a &>f] & [b]"),
    ("a <<E\nb $c \\$d \\e\nE\nf", "[a <<'b '\"<c>\"' $d \\e\n'] [f]"),
    ("a <<'E'\nb $c \\$d\nE\n", "[a <<'b $c \\$d\n']"),
    ('a <<E"F"\n$x\nEF', "[a <<'$x\n']"),
    ("a <<\\E\n$x\nE", "[a <<'$x\n']"),
    ("a <<-E\n\tb\n\t\tE\nc", "[a <<'b\n'] [c]"),
    ("a <<E\nE", "[a <<'']"),
    ("a <<E\nb\\\nc\nE", "[a <<'bc\n']"),
    ("a <<E\nb\\\nE\nE", "[a <<'bE\n']"),
    ("a <<E <<F | b\n1\nE\n2\nF\nc", "[a <<'1\n' <<'2\n'] | [b] [c]"),
    ("a <<E; b\n1\nE\nc", "[a <<'1\n'] [b] [c]"),
    ("a <<E 'x\ny'\n1\nE", "[a 'x\ny' <<'1\n']"),
    ("if a <<E; then\n1\nE\nb; fi", "if [a <<'1\n'] then [b] fi"),
    ("$(a <<E\n1\nE\n)", "[<$ [a <<'1\n']>]"),
    ("a <<E\n$(b <<F\n2\nF\n)\nE", "[a <<\"<$ [b <<'2\n']>\"'\n']"),
    ("a <<E\n\"$x\" '$y' `z`\nE", "[a <<'\"'\"<x>\"'\" ''\"<y>\"'' '\"<$ [z]>\"'\n']"),
]


@pytest.mark.parametrize(("text", "expected"), COMMANDS)
def test_a_command_is_read_as_bash_reads_it(text, expected):
    assert drawn(text) == expected


def test_a_here_document_knows_where_its_body_stands():
    text = "a <<E b\nbody\nE\nc"
    simple = parse(text).items[0][0].commands[0]
    assert isinstance(simple, tree.Simple)
    redirect = simple.redirects[0]
    assert text[redirect.start : redirect.end] == "<<E"
    assert text[redirect.target.start : redirect.target.end] == "body\n"


def test_compound_commands_know_where_they_were_written():
    text = "a; if b; then c; fi >f ; (d) | e"
    places = [text[item.start : item.end] for item, _ in parse(text).items]
    assert places == ["a", "if b; then c; fi >f", "(d) | e"]
