"""A command is read, never run: what it would write is found, what it only reads is left alone."""

import ast
import posixpath
import shutil
import subprocess
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tables import each

from recollect.hooks.guard import limits, person_only, shell, writing_commands

REPO = "/repo"
HOME = "/home/ann"
VAULT = "/repo/.claude/memory"


def touches(paths: list[str], folder: str) -> bool:
    """Whether one of the written paths is the folder, lies in it, or takes it along (a path that ends in "/")."""
    inside = posixpath.normpath(folder).rstrip("/") + "/"
    spelled = [(posixpath.normpath(path).rstrip("/") + "/", path.endswith("/")) for path in paths]
    return any(path.startswith(inside) or (is_tree and inside.startswith(path)) for path, is_tree in spelled)


def written(command: str) -> list[str]:
    return shell.written_paths(command, REPO, HOME)


def into_vault(command: str) -> bool:
    return touches(written(command), VAULT)


# --- redirections ----------------------------------------------------------------------------------------------------


@each(
    ("command", "expected"),
    [
        ("echo a > f", ["/repo/f"]),
        ("echo a>f", ["/repo/f"]),
        ("echo a >> f", ["/repo/f"]),
        ("echo a >| f", ["/repo/f"]),
        ("make &> f", ["/repo/f"]),
        ("make &>>f", ["/repo/f"]),
        ("make 2> f", ["/repo/f"]),
        ("make 2>f", ["/repo/f"]),
        ("make >& f", ["/repo/f"]),
        ("exec 3<> f", ["/repo/f"]),
        ("> f", ["/repo/f"]),
        ("> f echo a", ["/repo/f"]),
        ("echo a > f > g", ["/repo/f", "/repo/g"]),
        ("echo file2>f", ["/repo/f"]),
        ("for x in 1 2; do echo $x; done > f", ["/repo/f"]),
        ("{ echo a; echo b; } > f", ["/repo/f"]),
        ("(echo a) > f", ["/repo/f"]),
        ("echo a | tee >(cat > f)", ["/repo/f"]),
    ],
)
def test_a_redirection_writes_its_target(command, expected):
    assert written(command) == expected


@each(
    "command",
    [
        "cat < f",
        "cat <f",
        "make >&2",
        "make 2>&1",
        "make 2>&-",
        "make > /dev/null 2>&1",
        "make &>/dev/null",
        "echo a >/dev/stderr",
        "cat <<< f",
        "cat 0<f",
        "diff <(sort f) <(sort g)",
        "[[ b > a ]] && echo later",
        "if [[ $a > f ]]; then echo later; fi",
        "echo $((2 > 1))",
    ],
)
def test_reading_duplicating_comparing_and_discarding_write_nothing(command):
    assert written(command) == []


# --- words -----------------------------------------------------------------------------------------------------------


@each(
    ("command", "expected"),
    [
        ("echo > 'a b'", ["/repo/a b"]),
        ('echo > "a b"', ["/repo/a b"]),
        ("echo > a\\ b", ["/repo/a b"]),
        ("echo > a'  'b", ["/repo/a  b"]),
        ("echo > $'it\\'s'", ["/repo/it's"]),
        ('echo > "a\\"b"', ['/repo/a"b']),
        ("echo > 'a$HOME'", ["/repo/a$HOME"]),
        ("echo > a\\\nb", ["/repo/ab"]),
        ("\\\nrm \\\n  x", ["/repo/x"]),
        ("rm $'\\x61\\142\\u0063'", ["/repo/abc"]),
        ("bash -c $'ls\\nrm x'", ["/repo/x"]),
        ("CMD='rm x'; $CMD", ["/repo/x"]),
        ("echo 'rm x' | sh", ["/repo/x"]),
        ("echo 'rm x' > y; sh y", ["/repo/y", "/repo/x"]),
        ("cat <<EOF\n$(rm x)\nEOF", ["/repo/x"]),
        ("echo 'a > b'", []),
        ('echo "a > b"', []),
        ("echo a \\> b", []),
        ("'rm' x", ["/repo/x"]),
        ("\\rm x", ["/repo/x"]),
        ("/bin/rm x", ["/repo/x"]),
        ("r''m x", ["/repo/x"]),
    ],
)
def test_quotes_and_backslashes_are_read_as_the_shell_reads_them(command, expected):
    assert written(command) == expected


@each(
    ("command", "expected"),
    [
        ("touch /a/b", ["/a/b"]),
        ("touch ./x/../y", ["/repo/y"]),
        ("touch ../other/y", ["/other/y"]),
        ("touch //repo//y", ["/repo/y"]),
        ("touch ~/y", ["/home/ann/y"]),
        ("touch ~", ["/home/ann"]),
        ("touch '~/y'", ["/repo/~/y"]),
        ("touch ~bob/y", ["/repo/~bob/y"]),
        ("touch $HOME/y", ["/home/ann/y"]),
        ('touch "${HOME}/y"', ["/home/ann/y"]),
        ("touch $PWD/y", ["/repo/y"]),
        ("cd sub && touch $PWD/y", ["/repo/sub/y"]),
        ('touch "$(pwd)/y"', ["/repo/y"]),
        ("touch `pwd`/y", ["/repo/y"]),
        ("touch $X/.claude/memory/a.json", ["/repo/$X/.claude/memory/a.json"]),
        ('touch "${X}/y"', ["/repo/${X}/y"]),
        ("touch $HOMELAND/y", ["/repo/$HOMELAND/y"]),
        ("M=.claude/memory; touch $M/a.json", ["/repo/.claude/memory/a.json"]),
        ("export M=~/notes && touch ${M}/a", ["/home/ann/notes/a"]),
        ("HOME=/tmp make; touch ~/y", ["/home/ann/y"]),
    ],
)
def test_paths_are_absolute_and_what_cannot_be_known_keeps_its_text(command, expected):
    assert written(command) == expected


@each(
    ("command", "expected"),
    [
        ("rm .claude/memory/*.json", ["/repo/.claude/memory"]),
        ("rm .claude/memory/a?.json", ["/repo/.claude/memory"]),
        ("touch .claude/memory/[ab].json", ["/repo/.claude/memory"]),
        ("touch .claude/memory/{a,b}.json", ["/repo/.claude/memory"]),
        ("touch *.txt", ["/repo"]),
        ("touch /*", ["/"]),
        ("touch '*.txt'", ["/repo/*.txt"]),
        ("touch src/*/x", ["/repo/src"]),
    ],
)
def test_a_glob_names_the_folder_that_it_looks_into(command, expected):
    assert written(command) == expected


@each(
    "command",
    [
        "rm -rf .claude/*",
        "rm -rf .claude/mem*",
        "rm -rf .cl*",
        "rm -rf .c[l]aude",
        "rm -rf {.claude,dist}",
        "rm -rf /*",
        "mv .claude/* /tmp",
        "touch .claude/*/a.json",
        "rm .cla*/memory/a.json",
        "cd .claude/mem* && rm a.json",
        "for f in .claude/memory/*.json; do rm $f; done",
    ],
)
def test_a_glob_that_may_mean_the_vault_touches_it(command):
    assert into_vault(command)


@each(
    "command",
    [
        "rm -rf *.egg-info build-* {dist,out}",
        "rm *.log",
        "rm -rf **/__pycache__ */node_modules",
        "mv *.txt docs/",
        "sed -i s/a/b/ src/*.py",
        "rm -rf .claude/cache-*",
        "rm -rf dist/*",
    ],
)
def test_a_glob_that_cannot_mean_the_vault_leaves_it_alone(command):
    assert written(command)
    assert not into_vault(command)


# --- how commands are put together -----------------------------------------------------------------------------------


@each(
    "command",
    [
        "ls; touch x",
        "ls && touch x",
        "ls || touch x",
        "ls | touch x",
        "ls & touch x",
        "ls\ntouch x",
        "(touch x)",
        "{ touch x; }",
        "! touch x",
        "echo $(touch x)",
        'echo "$(touch x)"',
        "echo `touch x`",
        "cat <(touch x)",
        "if true; then touch x; fi",
        "if touch x; then ls; fi",
        "if a; then b; elif c; then d; else touch x; fi",
        "while true; do touch x; done",
        "for i in 1 2; do touch x; done",
        "case $a in b) touch x;; esac",
        "make() { touch x; }; make",
        "function make { touch x; }; make",
        "A=b touch x",
        "A=b C='d e' touch x",
        "sudo touch x",
        "sudo -u bob touch x",
        "env A=b touch x",
        "env -u A touch x",
        "command touch x",
        "time touch x",
        "nohup touch x &",
        "nice -n 5 touch x",
        "timeout 5 touch x",
        "timeout -s KILL 5 touch x",
        "exec touch x",
        "sudo env A=b nohup touch x",
        "xargs touch x",
        "bash -c 'touch x'",
        'sh -c "touch x"',
        "bash -lc 'touch x'",
        "bash -euo pipefail -c 'touch x'",
        "eval 'touch x'",
        "eval touch x",
        "bash -c \"sh -c 'touch x'\"",
        "bash <<'EOF'\ntouch x\nEOF",
        "bash <<< 'touch x'",
        "ls # a comment\ntouch x",
    ],
)
def test_a_command_is_found_wherever_it_stands(command):
    assert written(command) == ["/repo/x"]


@each(
    "command",
    [
        "# touch x",
        "ls # > x",
        "echo touch x",
        "echo 'ls; touch x'",
        "grep 'rm -rf' f",
        "bash script.sh touch x",
        "command -v touch",
        "man rm",
    ],
)
def test_what_only_looks_like_a_command_writes_nothing(command):
    assert written(command) == []


@each(
    ("command", "expected"),
    [
        ("cd sub && touch x", ["/repo/sub/x"]),
        ("cd sub; cd deep; touch x", ["/repo/sub/deep/x"]),
        ("cd /tmp\ntouch x", ["/tmp/x"]),
        ("cd && touch x", ["/home/ann/x"]),
        ("cd ~/a && touch x", ["/home/ann/a/x"]),
        ("cd sub && cd - && touch x", ["/repo/x"]),
        ("cd sub || exit 1; touch x", ["/repo/sub/x"]),
        ("(cd sub && touch x); touch y", ["/repo/sub/x", "/repo/y"]),
        ("echo $(cd sub; touch x); touch y", ["/repo/sub/x", "/repo/y"]),
        ("bash -c 'cd sub; touch x'; touch y", ["/repo/sub/x", "/repo/y"]),
        ("pushd sub; touch x; popd; touch y", ["/repo/sub/x", "/repo/y"]),
        ("cd '$X' && touch x", ["/repo/$X/x"]),
        ("cd sub && echo a > x", ["/repo/sub/x"]),
    ],
)
def test_paths_follow_the_folder_that_the_command_stands_in(command, expected):
    assert written(command) == expected


@each(
    ("command", "expected"),
    [
        ("cat > f <<'EOF'\nrm x\necho > y\nEOF", ["/repo/f"]),
        ("cat <<EOF > f\nrm x\nEOF\ntouch y", ["/repo/f", "/repo/y"]),
        ("cat <<-EOF > f\n\trm x\n\tEOF\ntouch y", ["/repo/f", "/repo/y"]),
        ("cat > f <<'EOF' && touch y\nrm x\nEOF", ["/repo/f", "/repo/y"]),
        ("cat <<A <<B > f\nrm x\nA\nrm y\nB\ntouch z", ["/repo/f", "/repo/z"]),
        ("cat <<EOF | tee f\nrm x\nEOF", ["/repo/f"]),
        ("(cat <<EOF > f)\nrm x\nEOF\ntouch y", ["/repo/f", "/repo/y"]),
        ("cat <<'EOF' > f\ndon't \" ` $( stop\nEOF\ntouch y", ["/repo/f", "/repo/y"]),
        ("git commit -m \"$(cat <<'EOF'\nIt doesn't > x; rm y\nEOF\n)\" && touch z", ["/repo/z"]),
        ("cat <<EOF\nrm x", []),
    ],
)
def test_the_body_of_a_heredoc_is_text(command, expected):
    assert written(command) == expected


# --- commands --------------------------------------------------------------------------------------------------------


@each(
    ("command", "expected"),
    [
        ("ls | tee f g", ["/repo/f", "/repo/g"]),
        ("ls | tee -a f", ["/repo/f"]),
        ("touch -d yesterday f g", ["/repo/f", "/repo/g"]),
        ("mkdir -p -m 755 a/b", ["/repo/a/b"]),
        ("rmdir a", ["/repo/a"]),
        ("rm -f a b", ["/repo/a", "/repo/b"]),
        ("rm -- -a", ["/repo/-a"]),
        ("unlink a", ["/repo/a"]),
        ("shred -n 3 a", ["/repo/a"]),
        ("truncate -s 0 a", ["/repo/a"]),
        ("chmod 600 a b", ["/repo/a", "/repo/b"]),
        ("chown -R ann:staff a", ["/repo/a"]),
        ("ln -s target link", ["/repo/link"]),
        ("cp a b", ["/repo/b"]),
        ("cp a b c", ["/repo/c"]),
        ("cp -t c a b", ["/repo/c"]),
        ("cp --target-directory=c a b", ["/repo/c"]),
        ("install -m 644 a b", ["/repo/b"]),
        ("install -d a b", ["/repo/a", "/repo/b"]),
        ("rsync -v --exclude .git a/ b/", ["/repo/b"]),
        ("rsync -v --delete a/ b/", ["/repo/b/"]),
        ("dd if=a of=b bs=1k", ["/repo/b"]),
        ("sort -u -o b a", ["/repo/b"]),
        ("sort a -ob", ["/repo/b"]),
        ("patch a change.diff", ["/repo/a"]),
        ("patch -d a -p1 < change.diff", ["/repo/a"]),
        ("unzip x.zip -d a", ["/repo/a"]),
        ("unzip x.zip", ["/repo"]),
        ("tar -xzf x.tgz -C a", ["/repo/a"]),
        ("tar xzf x.tgz -C a", ["/repo/a"]),
        ("tar -x --file x.tar --directory=a", ["/repo/a"]),
        ("tar xf x.tar", ["/repo"]),
        ("tar czf x.tgz a", ["/repo/x.tgz"]),
        ("curl -sSLo a https://x.example", ["/repo/a"]),
        ("curl https://x.example --output a", ["/repo/a"]),
        ("curl -o a https://x.example -o b https://y.example", ["/repo/a", "/repo/b"]),
        ("wget -qO a https://x.example", ["/repo/a"]),
    ],
)
def test_a_command_writes_the_operands_that_its_manual_says(command, expected):
    assert written(command) == expected


@each(
    ("command", "expected"),
    [
        ("sed -i s/a/b/ f g", ["/repo/f", "/repo/g"]),
        ("sed -i.bak s/a/b/ f", ["/repo/f"]),
        ("sed -i '' s/a/b/ f", ["/repo/f"]),
        ("sed --in-place s/a/b/ f", ["/repo/f"]),
        ("sed --in-place=.bak -e s/a/b/ f", ["/repo/f"]),
        ("sed -Ei -e s/a/b/ -e s/c/d/ f", ["/repo/f"]),
        ("sed -E -i s/a/b/ f", ["/repo/f"]),
        ("perl -pi -e 's/a/b/' f", ["/repo/f"]),
        ("perl -i.bak -pe 's/a/b/' f", ["/repo/f"]),
        ("perl -0777 -pi -e 's/a/b/' f", ["/repo/f"]),
        ("sed s/a/b/ f", []),
        ("sed -n 1,5p f", []),
        ("perl -ne 'print' f", []),
    ],
)
def test_sed_and_perl_write_only_in_place(command, expected):
    assert written(command) == expected


@each(
    ("command", "expected"),
    [
        ("rm -rf .claude", ["/repo/.claude/"]),
        ("rm -R a b", ["/repo/a/", "/repo/b/"]),
        ("rm --recursive a", ["/repo/a/"]),
        ("mv a b", ["/repo/a/", "/repo/b", "/repo/b/a"]),
        ("mv -t c a b", ["/repo/c", "/repo/a/", "/repo/b/", "/repo/c/a", "/repo/c/b"]),
        ("git rm -r a", ["/repo/a/"]),
        ("git clean -fd", ["/repo/"]),
        ("git clean -fdx -e .env a", ["/repo/a/"]),
        ("find a -delete", ["/repo/a/"]),
        ("find a b -type f -exec rm {} +", ["/repo/a/", "/repo/b/"]),
    ],
)
def test_a_tree_that_is_removed_moved_or_cleaned_ends_in_a_slash(command, expected):
    assert written(command) == expected


@each(
    ("command", "expected"),
    [
        ("git checkout -- a", ["/repo/a/"]),
        ("git checkout HEAD -- a b", ["/repo/a/", "/repo/b/"]),
        ("git checkout HEAD~1 a", ["/repo/a/"]),
        ("git checkout .claude/memory", ["/repo/.claude/memory/"]),
        ("git checkout .", ["/repo/"]),
        ("git restore a", ["/repo/a/"]),
        ("git restore -s HEAD~1 a", ["/repo/a/"]),
        ("git restore --staged --worktree a", ["/repo/a/"]),
        ("git -C sub restore a", ["/repo/sub/a/"]),
        ("git -c core.x=y --no-pager restore a", ["/repo/a/"]),
        ("git -C sub restore a; touch b", ["/repo/sub/a/", "/repo/b"]),
        ("git mv a b", ["/repo/a/", "/repo/b", "/repo/b/a"]),
        ("git stash push -m 'for later' -- a", ["/repo/a/"]),
    ],
)
def test_git_writes_the_paths_that_it_is_given(command, expected):
    assert written(command) == expected


@each(
    "command",
    [
        "git checkout main",
        "git checkout feature/login",
        "git checkout -b feature/login origin/main",
        "git switch main",
        "git stash",
        "git stash pop",
        "git restore --staged .claude/memory",
        "git rm -r --cached .claude/memory",
        "git clean -nd",
        "git log -- .claude/memory",
        "git diff .claude/memory",
        "git show HEAD:.claude/memory/a.json",
        "git status .claude/memory",
        "git add .claude/memory",
        "git commit -m 'x' .claude/memory",
        "git",
        "git -C",
    ],
)
def test_git_that_names_no_path_or_leaves_the_files_alone_writes_nothing(command):
    assert written(command) == []


@each(
    ("command", "expected"),
    [
        ("find .claude -type f -exec rm {} \\;", True),
        ("find .claude -name '*.json' -exec sed -i s/a/b/ {} +", True),
        ("find . -type f -delete", True),
        ("find . -name '*.json' -delete", True),
        ("find -L .claude/memory -name x -delete", True),
        ("find . ! -name '*.py' -delete", True),
        ("find .claude -exec sh -c 'rm {}/memory/a.json' \\;", True),
        ("find . -path './.claude/memory/*' -delete", True),
        ("find . -name '*.pyc' -delete", False),
        ("find . -type d -name __pycache__ -exec rm -rf {} +", False),
        ("find .claude/memory -name '*.json'", False),
        ("find .claude/memory -exec cat {} \\;", False),
        ("find .claude/memory -exec cp {} /tmp \\;", False),
        ("find .claude/memory -exec grep -l x {} + -exec wc {} +", False),
    ],
)
def test_find_touches_the_vault_if_it_removes_or_changes_what_it_finds_there(command, expected):
    assert into_vault(command) is expected


@each(
    ("command", "expected"),
    [
        ("find .claude/memory -name '*.json' | xargs rm -f", True),
        ("find .claude/memory -print0 | xargs -0 -n 1 rm", True),
        ("grep -rl old .claude/memory | xargs sed -i s/old/new/", True),
        ("ls .claude/memory/*.json | grep x | xargs -I{} mv {} /tmp", True),
        ("ls .claude/memory/*.json | xargs -I % sh -c 'rm %'", True),
        ('find .claude/memory -type f | while read -r f; do rm "$f"; done', True),
        ("find .claude/memory -type f | xargs cat", False),
        ("find .claude/memory -type f | xargs -I{} cp {} /tmp/b", False),
        ("find .claude/memory -type f | xargs cp -t /tmp/b", False),
        ("ls .claude/memory; ls src | xargs rm", False),
    ],
)
def test_what_is_piped_into_xargs_or_a_loop_is_written_there(command, expected):
    assert into_vault(command) is expected


# --- code ------------------------------------------------------------------------------------------------------------


@each(
    "command",
    [
        "python3 -c \"open('.claude/memory/a.json', 'w').write('x')\"",
        'python -c \'import json; json.dump({}, open(".claude/memory/a.json", "w"))\'',
        "python3.12 -c \"open('/repo/.claude/memory/a.json', mode='a')\"",
        "python3 - <<'EOF'\nfrom pathlib import Path\n# don't ask\nPath('.claude/memory/a').write_text('x')\nEOF",
        "python3 <<EOF\nimport os\nos.unlink('.claude/memory/a')\nEOF",
        "cd /tmp && python -c \"import shutil; shutil.rmtree('/repo/.claude')\"",
        'node -e \'fs.writeFileSync(".claude/memory/a.json", "{}")\'',
        "node --eval 'fs.rm(\"./.claude\", {recursive: true})'",
        "node <<'EOF'\nfs.renameSync(`/repo/.claude/memory`, `/tmp/x`)\nEOF",
        "ruby -e \"File.open('.claude/memory/a', 'w')\"",
        "perl -e 'open(F, \">.claude/memory/a\")'",
        "cat x | python3 -c \"import sys; open('.claude/memory/a', 'wb').write(sys.stdin.buffer.read())\"",
    ],
)
def test_code_that_seems_to_write_touches_the_paths_it_quotes(command):
    assert into_vault(command)


@each(
    "command",
    [
        "python3 -c \"print(open('.claude/memory/a.json').read())\"",
        "python3 -c \"import json; print(json.load(open('.claude/memory/a.json'))['a'])\"",
        "python3 -c \"print(open('.claude/memory/a.json', 'rb').read())\"",
        "python3 - <<'EOF'\nprint(open('.claude/memory/a.json', 'r').read())\nEOF",
        "python3 -m json.tool .claude/memory/a.json",
        "python3 script.py .claude/memory/a.json",
        "node -e 'console.log(fs.readFileSync(\".claude/memory/a.json\"))'",
        "python3 -c \"open('out/a.json', 'w').write('x')\"",
        "python3 -m recollect write --target .claude/memory/a.json",
    ],
)
def test_code_that_reads_the_vault_or_writes_elsewhere_leaves_it_alone(command):
    assert not into_vault(command)


def test_home_is_known_inside_code():
    assert written("python3 -c \"Path('~/notes/a').expanduser().write_text('x')\"") == ["/home/ann/notes/a"]


# --- the vault -------------------------------------------------------------------------------------------------------


@each(
    "command",
    [
        "cat .claude/memory/a.json",
        "cat .claude/memory/*.json | head -5",
        "less .claude/memory/a.json",
        "grep -rn token .claude/memory > /tmp/found",
        "ls -la .claude/memory 2>/dev/null",
        "cd .claude/memory && ls && cat a.json",
        "cp .claude/memory/a.json /tmp/",
        "cp -r .claude/memory /tmp/backup",
        "cp -r .claude /tmp/backup",
        "rsync -a .claude/memory/ /tmp/backup/",
        "tar czf /tmp/vault.tgz .claude/memory",
        "tar tzf /tmp/vault.tgz .claude/memory",
        "diff .claude/memory/a.json /tmp/a.json",
        "jq .title < .claude/memory/a.json",
        "sed -n 1,5p .claude/memory/a.json",
        "wc -l .claude/memory/*",
        "for f in .claude/memory/*.json; do cat $f; done",
        "ln -s /repo/.claude/memory /tmp/link",
        "sort .claude/memory/index.md -o /tmp/sorted",
        "recollect write --action create --target .claude/memory/a.json --input /tmp/a.json",
        "recollect remember 'write > .claude/memory/x' --kind decision",
        "touch .claude/settings.json",
        "rm -rf .claude/memory-old",
        "mkdir -p .claude",
        "chmod 755 .claude",
    ],
)
def test_reading_the_vault_and_writing_beside_it_are_never_refused(command):
    assert not into_vault(command)


@each(
    "command",
    [
        "echo '{}' > .claude/memory/a.json",
        "cat > .claude/memory/a.json <<'EOF'\n{}\nEOF",
        'echo x >> "$PWD"/.claude/memory/index.md',
        "cd .claude/memory && echo x > a.json",
        "cd .claude && rm -rf memory",
        "cd src && touch ../.claude/memory/a.json",
        "rm -rf .claude",
        "rm -rf /repo",
        "mv .claude /tmp/old",
        "mv /tmp/a.json .claude/memory",
        "mv .claude/memory/a.json /tmp",
        "cp -r /tmp/backup/memory .claude/",
        "cp /tmp/a.json .claude/memory/",
        "git clean -fdx",
        "git checkout -- .",
        "jq . x | sudo tee .claude/memory/a.json > /dev/null",
        "D=$PWD/.claude/memory; for i in 1 2; do echo $i > $D/$i.json; done",
    ],
)
def test_every_way_into_the_vault_is_seen(command):
    assert into_vault(command)


@each(
    ("path", "expected"),
    [
        (VAULT, True),
        (f"{VAULT}/", True),
        (f"{VAULT}/a/b.json", True),
        ("/repo/x/../.claude/memory/a", True),
        ("/repo/.claude/", True),
        ("/", True),
        ("/repo/.claude", False),
        ("/repo", False),
        ("/repo/.claude/memory2", False),
        ("/repo/.claude/memor/", False),
        ("/repo/.Claude/memory/a", False),
        ("/other/", False),
    ],
)
def test_a_folder_is_touched_in_it_at_it_and_by_a_tree_that_holds_it(path, expected):
    assert touches([path], VAULT) is expected
    assert touches(["/elsewhere", path], f"{VAULT}/") is expected


def test_nothing_written_touches_nothing():
    assert not touches([], VAULT)


# --- any input -------------------------------------------------------------------------------------------------------

MARKS = st.sampled_from(
    ["$(", "${", "$((", "))", "<(", "<<EOF", "EOF\n", "[[", "--", "../", "a/b", "A=$A$A", "-C", "-I"]
)
STARTS = st.sampled_from(
    ["rm ", "cd ", "git ", "find ", "-exec ", "xargs ", "eval ", "bash -c ", "tar ", "sed -i ", "for "]
)
PIECES = MARKS | STARTS | st.sampled_from("\n;&|><() -=#'\"`\\$~{}*?[/\0\1\2") | st.text(max_size=3)


@given(command=st.text() | st.lists(PIECES).map("".join), cwd=st.text(), home=st.text())
def test_no_command_is_too_strange_to_be_read(command, cwd, home):
    found = shell.written_paths(command, cwd, home)
    assert all(path.startswith("/") and "//" not in path for path in found)
    touches(found, cwd)


@pytest.mark.parametrize(
    "piece",
    [
        "$(",
        "`",
        "(",
        "'\"`",
        "${",
        "<<a ",
        "a|xargs rm ",
        "sudo ",
        "find . -exec ",
        "eval ",
        "cd a;",
        "A=$A$A;>$A;",
        "x recollect ",
        "recollect -C ",
        "alias a=$A;a ",
        "printf %s%s ",
        "cat <<E\n$(\nE\n",
        "echo $A>f;sh f;",
        "{a,b}",
        "ssh h '",
        "python -c recollect ",
        "$'\\x61",
    ],
)
def test_thirty_thousand_characters_take_no_more_than_their_share_of_time(piece):
    command = "A=" + "x/" * 1000 + ";" + piece * (28_000 // len(piece))
    started = time.process_time()
    shell.written_paths(command, REPO, HOME)
    assert time.process_time() - started < 10  # quadratic time would take minutes


def single_quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"


def double_quoted(text: str) -> str:
    return '"' + "".join(f"\\{char}" if char in '$`"\\' else char for char in text) + '"'


def escaped(text: str) -> str:
    return "".join(f"\\{char}" for char in text)


def ansi_quoted(text: str) -> str:
    return "$'" + "".join(f"\\{char}" if char in "'\\" else char for char in text) + "'"


NAMES = st.text(st.characters(min_codepoint=32, exclude_characters="/\x7f", exclude_categories=("Cs",)), min_size=1)


@given(
    name=NAMES.filter(lambda name: name.strip(".")),
    quote=st.sampled_from([single_quoted, double_quoted, escaped, ansi_quoted]),
    operator=st.sampled_from([">", ">>", ">|", "&>", "2>", " > ", " >> "]),
)
def test_a_quoted_target_is_found_whatever_the_quotes(name, quote, operator):
    command = f"cd src; echo x{operator}{quote(f'../.claude/memory/{name}')}; ls"
    assert written(command) == [f"{VAULT}/{name}"]


# --- the shell itself ------------------------------------------------------------------------------------------------

BASH = shutil.which("bash")
INSIDE = st.sampled_from([".claude/memory/one", ".claude/memory/*", "./.claude/memory/../memory/new", "$D/one"])
AROUND = st.sampled_from(
    ["a", ".claude", ".claude/memory", ".claude/*", "memory", '"$PWD/.claude/memory/x y"', "*", ".cl*"]
)
PATHS = INSIDE | AROUND
STEPS = st.one_of(
    st.builds("echo x > {}".format, PATHS),
    st.builds("{} {}".format, st.sampled_from(["touch", "rm -rf", "rm -f", "mkdir -p", "echo y | tee -a"]), PATHS),
    st.builds("{} {} {}".format, st.sampled_from(["cp -r", "cp", "mv"]), PATHS, PATHS),
    st.builds("cd {} || exit".format, st.sampled_from([".claude", ".claude/memory", ".", ".claude/mem*"])),
    st.builds("find {} -type f | xargs rm -f".format, PATHS),
    st.builds("for f in {}; do rm -rf $f; done".format, PATHS),
    st.builds("cat > {} <<'EOF'\nrm -rf .claude\nEOF".format, PATHS),
)
SCRIPTS = st.lists(STEPS, min_size=1, max_size=4).map("\n".join)
FRAMES = st.sampled_from(["@", "(@\n)", "{ @\n}", "if true; then @\nfi", 'echo "$(@\n)"', "bash -c '@'"])


def contents(folder: Path) -> dict[str, str]:
    return {str(path): path.read_text() if path.is_file() else "" for path in folder.rglob("*")}


@pytest.mark.skipif(BASH is None, reason="there is no bash to ask")
@given(script=SCRIPTS, frame=FRAMES)
def test_what_bash_changes_in_the_vault_was_seen_before(script, frame, tmp_path_factory):
    root = tmp_path_factory.mktemp("scene").resolve()
    vault = root / ".claude" / "memory"
    vault.mkdir(parents=True)
    for name in ("one", "two"):
        (vault / name).write_text(name)
    before = contents(vault)
    command = f"export D={vault}\n" + frame.replace("@", script)
    subprocess.run([BASH, "-c", command], cwd=root, env={"PATH": "/usr/bin:/bin"}, capture_output=True)
    if not vault.is_dir() or contents(vault) != before:
        assert touches(shell.written_paths(command, str(root), HOME), str(vault))


def test_the_modules_import_nothing_but_os_and_each_other():
    trees = [
        ast.parse(Path(module.__file__).read_text("utf-8")) for module in (shell, writing_commands, person_only, limits)
    ]
    nodes = [node for tree in trees for node in ast.walk(tree)]
    imported = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    imported |= {str(node.module) for node in nodes if isinstance(node, ast.ImportFrom)}
    assert imported == {
        "os",
        *(f"recollect.hooks.guard{name}" for name in ("", ".writing_commands", ".limits", ".person_only", ".shell")),
    }
