"""What Unix programs can do beyond their names: each form of it is found, with the word that brings it."""

import pytest

from assent.model.calls import Access
from assent.model.modes import Category
from tests.support.programs import program_part

DANGERS = [
    ("tree -l", 1),
    ("tree -al src", 1),
    ("jobs -x rm a", 1),
    ("jobs -lx rm a", 1),
    ("wait -p 'a[0]'", 1),
    ("sort -o x y", 2),
    ("sort -ox y", 1),
    ("sort -no x y", 2),
    ("sort --output=x y", 1),
    ("sort --out x y", 2),
    ("sort y -o x", 3),
    ("sort --compress-program=./x y", 1),
    ("sort --comp ./x y", 1),
    ("sort --files0-from=x", 1),
    ("sort -T /tmp/x y", 2),
    ("uniq a b", 2),
    ("shuf -o x y", 2),
    ("iconv -o x y", 2),
    ("base64 -i x -o y", 4),
    ("xxd a b", 2),
    ("xxd -r a b", 3),
    ("tree -o x", 2),
    ("tree -R -H . -L 1", 1),
    ("file -C -m x", 1),
    ("file -f x", 2),
    ("file -p x", 1),
    ("file -bp x", 1),
    ("diff -l a b", 1),
    ("xmllint -output x y", 2),
    ("xmllint --shell x", 1),
    ("xmllint --c14n x", 1),
    ("xmllint -exc-c14n x", 1),
    ("xmllint --noout --schema x y", 2),
    ("xmllint --relaxng x y", 1),
    ("shellcheck -a x", 1),
    ("shellcheck -xa x", 1),
    ("rg --pre ./x y", 1),
    ("rg --pre=./x y", 1),
    ("rg --hostname-bin ./x y", 1),
    ("rg -z y", 1),
    ("rg -nz y", 1),
    ("ag --pager ./x y", 1),
    ("ack --pager=./x y", 1),
    ("find . -delete", 2),
    ("find . -fprint x", 3),
    ("find . -fprintf x %p", 3),
    ("find . -fls x", 3),
    ("find -files0-from x", 1),
    ("find . -exec", 2),
    ("find . -exec rm {}", 2),
    ("find . -unheard-of", 2),
    ("find . -depth 1", 3),
    ("fd x -x", 2),
    ("fd -Hx rm y", 1),
    ("sed -i s/a/b/ f", 1),
    ("sed -i.bak s/a/b/ f", 1),
    ("sed -ni p f", 1),
    ("sed -i '' s/a/b/ f", 1),
    ("sed --in-place s/a/b/ f", 1),
    ("sed --in-p=.o s/a/b/ f", 1),
    ("sed s/a/b/ f -i", 3),
    ("sed -f x y", 2),
    ("sed -nf x y", 2),
    ("sed --file=x y", 1),
    ("sed -I .bak p f", 1),
    ("sed 1e f", 1),
    ("sed '1e id' f", 1),
    ("sed -e p -e 'e id' f", 4),
    ("sed --expression='e id' f", 1),
    ("sed --ex 'w x' f", 2),
    ("sed -ne 'w x' f", 2),
    ("sed s/a/b/w f", 1),
    ("sed 's/a/b/;w x' f", 1),
    ("sed s,a,b,e f", 1),
    ("sed s/a/b/ge f", 1),
    ("sed -e 'a x\\' -e 'e id' f", 4),
    ("sed p} f", 1),
    ("awk 'BEGIN{system(\"id\")}'", 1),
    ("awk -F: '{print | \"sh\"}' f", 2),
    ("awk '{print > \"x\"}' f", 1),
    ("awk '{print >> $1}' f", 1),
    ("awk '\"id\" | getline x'", 1),
    ('awk \'BEGIN{s="sys" "tem"; @s("id")}\'', 1),
    ("awk '@load \"x\"; {print}'", 1),
    ("awk '@include \"x\"'", 1),
    ("awk -f x f", 2),
    ("awk -fx f", 1),
    ("awk -i inplace '{print}' f", 1),
    ("awk -l x '{print}' f", 1),
    ("awk -o x '{print}' f", 1),
    ("awk -e '{print}' f", 1),
    ("awk '{getline x < $1}' f", 1),
    ("awk 'BEGIN{ARGV[1]=\"/etc/x\"; ARGC=2} {print}'", 1),
    ("awk 'BEGIN{getline x < \"/inet/tcp/0/h/80\"}'", 1),
    ("yq -i .a=1 f", 1),
    ("yq 'load(\"x\")' f", 1),
    ("yq -s .a f", 1),
    ("jq -n 'import \"x\" as x; 1'", 2),
    ("jq --unheard-of . f", 1),
    ("tar xf a --to-command=x", 3),
    ("tar xf a --to-com=x", 3),
    ("tar cf a b --checkpoint=1 --checkpoint-action=exec=x", 5),
    ("tar -I x -xf a", 1),
    ("tar xfI a x", 1),
    ("tar cf a b --use-compress-program x", 4),
    ("tar cf a b --rsh-command=x", 4),
    ("tar cMf a b -F x", 4),
    ("tar xf a --info-script=x", 3),
    ("tar cf host:a b", 2),
    ("tar xPf a", 1),
    ("tar cf a -T b", 3),
    ("tar cf a --remove-files b", 3),
    ("tar --unheard-of -tf a", 1),
    ("tar xf a --one-top-level=/x", 3),
    ("tar -xf a -W use-compress-program=x", 3),
    ("tar -xf a -s ,x,/y,", 3),
    ("xmllint http://x/y", 1),
    ("split -l 1 a .x", 4),
    ("split a x --additional-suffix=y", 2),
    ("zip -T a b", 1),
    ("zip -rT a b", 1),
    ("zip a b -TT x", 3),
    ("zip a b --unzip-command=x", 3),
    ("zip -m a b", 1),
    ("xz --files=a", 1),
    ("zstd -o a b", 2),
    ("cpio -o", 1),
    ("cpio -i --rsh-command=x", 2),
    ("install -s a b", 1),
    ("install --strip-program=x a b", 1),
    ("chmod u+s a", 1),
    ("chmod 4755 a", 1),
    ("chmod g=u,u+xs a", 1),
    ("rm -rf --no-preserve-root a", 2),
    ("patch -e a", 1),
    ("less a", 0),
    ("less +!x a", 1),
    ("top", 0),
    ("open a", 0),
    ("printf -v x y", 1),
    ("printf -vx y", 1),
    ("printf '%d%n' 3 x", 1),
    ("test -v 'a[$(id)]'", 2),
    ("[ a -o -R 'a[$(id)]' ]", 4),
    ("ulimit -n 5", 2),
    ("date -s x", 1),
    ("date --se=x", 1),
    ("date 01010101", 1),
    ("hostname x", 1),
    ("hostname -F x", 1),
    ("journalctl --vacuum-size=1", 1),
    ("crontab x", 0),
    ("crontab -r", 1),
    ("mount a b", 0),
    ("sysctl a=b", 1),
    ("sysctl -w a", 1),
]


@pytest.mark.parametrize(("line", "at"), DANGERS)
def test_what_goes_beyond_the_name_is_found(line: str, at: int) -> None:
    part = program_part(line)

    assert at in [danger.at for danger in part.dangers]
    assert part.category is not Category.READ or part.loose


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("sort -o /x y", "/x"),
        ("uniq a /x", "/x"),
        ("sed -i p /x", "/x"),
        ("sed -i '' p /x", "/x"),
        ("sed -i p 'w /x' y", "/x"),
        ("sed 'w /x' y", "/x"),
        ("sed 's/a/b/gw /x' y", "/x"),
        ("awk '{print > \"/x\"}'", "/x"),
        ("yq -i . /x", "/x"),
        ("find . -fprint /x", "/x"),
        ("xxd a /x", "/x"),
        ("cp a /x", "/x"),
        ("cp a b /x", "/x/a"),
        ("cp -t /x a", "/x/a"),
        ("cp a --target-directory=/x", "/x"),
        ("cp -l /x a", "/x"),
        ("mv /x a", "/x"),
        ("mv a /x", "/x"),
        ("ln -s a /x", "/x"),
        ("ln /x a", "/x"),
        ("ln -s /y/x", "/ws/./x"),
        ("ln -s /x a", "/x"),
        ("ln -s ../x a/b", "/ws/a/../x"),
        ("cp -s /x a", "/x"),
        ("install -d /x", "/x"),
        ("mkdir -p /x", "/x"),
        ("touch /x", "/x"),
        ("truncate -s 0 /x", "/x"),
        ("tee -a /x", "/x"),
        ("chmod +x /x", "/x"),
        ("chmod -x /x", "/x"),
        ("chmod --reference=a /x", "/x"),
        ("chown me /x", "/x"),
        ("dd if=a of=/x", "/x"),
        ("split a /x", "/x*"),
        ("split -l 1 a", "/ws/x*"),
        ("split a '/[x]?'", "/[[]x][?]*"),
        ("csplit a 2", "/ws/xx*"),
        ("csplit -f /x a 2", "/x*"),
        ("csplit -f a --prefix=/x a 2", "/x*"),
        ("unzip -d a z -d /x", "/x"),
        ("cp -b a /x", "/x*"),
        ("cp -S .old a /x", "/x*"),
        ("mv --backup=t a /x", "/x/a*"),
        ("ln -sfb a /x", "/x*"),
        ('cp "$(find . -name x)" /x', "/x"),
        ("patch /x a", "/x"),
        ("tar cf /x a", "/x"),
        ("tar -c a -f /x", "/x"),
        ("tar xf a", "/ws/."),
        ("tar xf a -C /x", "/x/."),
        ("unzip a -d /x", "/x"),
        ("unzip a -l", "/ws/."),
        ("unzip a -p -d /x", "/x"),
        ("unzip -o a -v", "/ws/."),
        ("zip /x a", "/x"),
        ("zip /x a", "/x.zip"),
        ("gzip -d /x.gz", "/x"),
        ("gzip -S .z /x", "/x*"),
        ("gunzip -S .z /x.z", "/x"),
        ("bunzip2 /x.bz2", "/x"),
        ("mktemp /x", "/x"),
    ],
)
def test_what_is_written_is_seen(line: str, name: str) -> None:
    part = program_part(line)

    assert name in [touch.name for touch in part.touches if touch.access is Access.WRITE]
    assert part.category is not Category.READ


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("rm -rf a b", ["/ws/a", "/ws/b"]),
        ("rm -- -a", ["/ws/-a"]),
        ("rmdir a", ["/ws/a"]),
        ("unlink a", ["/ws/a"]),
        ("shred -u a", ["/ws/a"]),
        ("find a b -delete", ["/ws/a/", "/ws/b/"]),
        ("find a -name '*.pyc' -delete", ["/ws/a/*.pyc"]),
        ("find a -name '*.pyc' -o -name x -delete", ["/ws/a/"]),
        ("find a -name config -delete", ["/ws/a/"]),
        ("gzip a", ["/ws/a"]),
    ],
)
def test_what_is_deleted_is_seen(line: str, names: list[str]) -> None:
    part = program_part(line)

    assert [touch.name for touch in part.touches if touch.access is Access.DELETE] == names


@pytest.mark.parametrize(
    "line",
    [
        "cp a b",
        "cp -r a b",
        "mv a b",
        "mkdir -p a/b",
        "touch a",
        "tee a",
        "ln -s a b",
        "rm -rf a",
        "chmod +x a",
        "chmod 755 a",
        "chmod -R u+rwX,go-w a",
        "chmod 1777 a",
        "tar czf a b",
        "tar -xzf a -C b",
        "unzip a",
        "zip -r a b",
        "gzip a",
        "dd if=a of=b bs=1M",
        "patch -p1 -i a",
        "split -l 5 a",
    ],
)
def test_what_is_for_writing_writes_without_a_danger(line: str) -> None:
    part = program_part(line)

    assert part.dangers == ()
    assert part.category is Category.WRITE


@pytest.mark.parametrize(
    ("line", "inner", "access", "name"),
    [
        ("find /a -exec cat {} ;", "cat", Access.READ, "/a/"),
        ("find a -exec rm -f {} +", "rm", Access.WRITE, "/ws/a/"),
        ("find a -name '*.o' -exec rm -f {} +", "rm", Access.DELETE, "/ws/a/*.o"),
        ("find a -execdir rm {} ;", "rm", Access.WRITE, "/ws/a/"),
        ("find a -ok rm {} ;", "rm", Access.WRITE, "/ws/a/"),
        ("find a b -exec rm {} ;", "rm", Access.WRITE, "/ws/b/"),
        ("fd -e py -x rm", "rm", Access.WRITE, "/ws/./"),
        ("fd x /a -X rm {}", "rm", Access.WRITE, "/a/"),
        ("fd x /a --exec mv {} {//}", "mv", Access.WRITE, "/a/"),
    ],
)
def test_what_is_started_for_each_file_is_looked_at(line: str, inner: str, access: Access, name: str) -> None:
    found = [part for part in program_part(line).inner if part.steps[:1] == (inner,)]

    assert (name, access) in [(touch.name, touch.access) for part in found for touch in part.touches]


@pytest.mark.parametrize(
    "line", ["cp -r a/. b", "cp -r a/.. b", "cp --parents a/c b", "cp -r a b", "mv a b", "cp -rT a b"]
)
def test_where_copies_have_names_that_are_not_seen_all_of_a_folder_is_written(line: str) -> None:
    assert any(touch.name == "/ws/b" and touch.whole for touch in program_part(line).touches)


@pytest.mark.parametrize("line", ["mv a/b .", "cp -r a/b .", "cp a b/", "mv -t b a"])
def test_where_copies_have_their_own_names_the_folder_is_not_meant_as_a_whole(line: str) -> None:
    written = [touch for touch in program_part(line).touches if touch.access is Access.WRITE]

    assert not any(touch.whole for touch in written if touch.name in ("/ws/.", "/ws/b", "/ws/b/"))


def test_a_command_whose_name_is_a_found_file_is_not_known() -> None:
    assert [part.dynamic for part in program_part("find . -exec {} ;").inner] == [True]


def test_a_name_that_is_found_inside_the_text_of_a_command_is_not_known() -> None:
    inner = program_part("find . -exec sort -o {}/../x y ;").inner[0]

    assert inner.unknown


@pytest.mark.parametrize(
    "line",
    ["tar -chf x src", "tar -cf x --dereference src", "zip -r x src", "gzip -r src", "gzip -tr src", "gunzip -r src"],
)
def test_what_packs_the_files_that_links_lead_to_follows_them(line: str) -> None:
    assert any(touch.follows for touch in program_part(line).touches)


@pytest.mark.parametrize("line", ["tar -cf x src", "zip -ry x src"])
def test_what_packs_links_as_they_are_follows_none(line: str) -> None:
    assert not any(touch.follows for touch in program_part(line).touches)


def test_no_rule_on_its_name_covers_a_tar_that_is_not_told_what_to_do() -> None:
    assert [danger.at for danger in program_part("tar -v a").dangers] == [None]
