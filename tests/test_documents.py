#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Man pages, README.md and CONTRIBUTING.md say what the program, its MIB and its sources have, and nothing else. Speaks TAP.

The manual is compared in both directions: with what the binary itself tells (--help, its messages, its console)
where it does, else with the tables of the sources.
"""

import contextlib
import csv
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

TOP = Path(os.environ.get("srcdir") or Path(__file__).resolve().parent.parent).resolve()
sys.path.insert(0, str(TOP / "tests" / "e2e"))
sys.dont_write_bytecode = True

import agents  # noqa: E402
from tap import Tap, skip_all  # noqa: E402

IBSMAD = agents.daemon_binary()
SCRATCH = Path(tempfile.mkdtemp(prefix="test_documents."))
LIMIT = 20  # seconds a run of ibsmad may take

# A time limit of the daemon's own, no way to talk to it.
INTERNAL_SIGNALS = {"SIGALRM"}
# Read by Net-SNMP.
LIBRARY_VARIABLES = {"SNMP_PERSISTENT_DIR"}
# Of the tree; other paths are those of systems.
FOLDERS = {"agent", "build-aux", "debian", "mib", "mibs", "packaging", "sma", "tests"}
STANDARD_TARGETS = {"all", "check", "clean", "dist", "distcheck", "distclean", "install", "uninstall"}  # of automake
# Nodes to ask which values a token takes; between them they have all tables.
NODES = [f"nodeType switch\nports 2\nnodeGuid 1\n{table}FDBCap 64\nmulticastFDBCap 64\n{unit}"
         for table, unit in (("linear", ""), ("random", "iouSlots 1\n"))]


def read(name):
    return (TOP / name).read_text(encoding="utf-8")


# ---- man pages ----

TIGHT = {"BR", "BI", "RB", "RI", "IR", "IB"}  # macros that set their arguments without blanks between


def plain(line):
    """The text of a line of roff."""
    if line.startswith("."):
        macro, _, rest = line[1:].partition(" ")
        words = [quoted.replace('""', '"') if quoted else word
                 for quoted, word in re.findall(r'"((?:[^"]|"")+)"|([^\s"]+)', rest)]
        line = ("" if macro in TIGHT else " ").join(words)
    return re.sub(r"\\f.", "", line).replace("\\-", "-").replace("\\e", "\\")


def section(page, name):
    """The lines of a section."""
    match = re.search(rf"^\.SH {re.escape(name)}\n(.*?)(?=^\.SH |\Z)", read(page), re.DOTALL | re.MULTILINE)
    if not match:
        raise AssertionError(f"{page} has no section {name}")
    return match.group(1).splitlines()


class Entry:
    """What is under one .TP: headings, the text, the lines it is made of, and entries within it."""

    def __init__(self):
        self.headings, self.lines, self.inner = [], [], []

    @property
    def text(self):
        return " ".join(plain(line) for line in self.lines)


def entries(lines):
    stack, heading_follows = [[]], False
    for line in lines:
        if line.startswith(".TP"):
            stack[-1].append(Entry())
        if line.startswith((".TP", ".TQ")):
            heading_follows = True
        elif line.startswith(".RS"):
            stack.append(stack[-1][-1].inner if stack[-1] else [])
        elif line.startswith(".RE"):
            stack.pop()
        elif heading_follows:
            stack[-1][-1].headings.append(plain(line))
            heading_follows = False
        elif stack[-1]:
            stack[-1][-1].lines.append(line)
    return stack[0]


def entries_of(page, *names):
    return [entry for name in names for entry in entries(section(page, name))]


def headings(found):
    return [heading for entry in found for heading in entry.headings]


def example(page):
    """The first example that is set as it is."""
    text = "\n".join(line for line in section(page, "EXAMPLE"))
    return re.search(r"^\.nf\n(.*?)^\.fi", text, re.DOTALL | re.MULTILINE).group(1)


OPTIONS = ("agent/ibsmad.8", "OPTIONS")
TOKENS = ("agent/ibsmad.conf.5", "TOKENS", "TOKENS FOR NOTIFICATIONS", "TOKENS FOR AGENTX")
NODE = ("sma/ibsmad-node.5", "TOKENS FOR SIZES", "TOKENS FOR THE NODE", "TOKENS FOR PORTS", "TOKENS FOR FORWARDING",
        "TOKENS FOR THE I/O UNIT")


def number_range(text):
    match = re.search(r"(\d+) to (\d+)", text)
    return match.groups() if match else None


# ---- the program ----


def environment():
    return {**os.environ, **agents.private_env(str(SCRATCH)), "LC_ALL": "C"}


def run(*arguments):
    return subprocess.run([IBSMAD, *arguments], env=environment(), capture_output=True, text=True, timeout=LIMIT,
                          stdin=subprocess.DEVNULL, check=False)


def file_with(name, text):
    (SCRATCH / name).write_text(text, encoding="utf-8")
    return str(SCRATCH / name)


def read_config(text):
    """What ibsmad says of a configuration; it comes no further than to a node file that is not there."""
    return run("-f", "-c", file_with("ibsmad.conf", text), "-S", str(SCRATCH / "none")).stderr


def read_node(text):
    return run("-f", "-c", os.devnull, "-S", file_with("node.conf", text)).stderr


def console(node, command):
    """What the console answers to a command."""
    arguments = [IBSMAD, "-f", "-c", os.devnull, "-x", str(SCRATCH / "none"), "-S", node, "--console"]
    with subprocess.Popen(arguments, env=environment(), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True) as child:
        with contextlib.suppress(BrokenPipeError):  # what it says will tell why
            child.stdin.write(command + "\n")
            child.stdin.flush()
        answer = []
        for line in child.stdout:
            answer.append(line.rstrip("\n"))
            if line == "ok\n" or line.startswith("error:"):
                break
        child.terminate()
        with contextlib.suppress(BrokenPipeError):
            child.stdin.close()
        errors = child.stderr.read()
    if not answer or answer.pop() != "ok":
        raise AssertionError(f"{command}: {answer}, {errors}")
    return answer


# ---- the sources ----


def sources(*folders):
    return "\n".join(path.read_text(encoding="utf-8")
                     for folder in folders for path in sorted((TOP / folder).rglob("*.[ch]")))


def config_rows():
    """Heading, field and factor of each token."""
    rows = []
    for row in re.findall(r"^\t(NUMBER|VALUE)\((.*)\),$", read("agent/config_token.c"), re.MULTILINE):
        name, usage, field, *rest = row[1].split(", ")
        rows.append((f"{name} {usage}".replace('"', ""), field, int(rest[-1]) if row[0] == "NUMBER" else 1))
    return rows


def product(text):
    value = 1
    for factor in re.findall(r"\d+", text):
        value *= int(factor)
    return value


def initial_values():
    """What the structures of the configuration are set to, by the name of the field."""
    values = {}
    for source, name in (("agent/config.c", "set_defaults"), ("sma/node/config.c", "sma_config_init"),
                         ("sma/notice/sources.c", "sources_config_init")):
        body = re.search(rf"^[^\n]*\b{name}\([^;]*?\)\n\{{(.*?)^\}}", read(source), re.DOTALL | re.MULTILINE).group(1)
        values.update(re.findall(r"\.(\w+) = (true|false|-?\d+(?: \* \d+)*)", body))
    return values


# ---- comparing ----


def agree(tap, name, documented, real):
    """Both collections have the same members, and some."""
    missing = [f"undocumented: {item}" for item in sorted(set(real) - set(documented))]
    invented = [f"only in the document: {item}" for item in sorted(set(documented) - set(real))]
    return tap.ok(real and not missing and not invented, name, missing + invented or ["nothing was found"])


def all_hold(tap, name, problems, count):
    return tap.ok(count and not problems, name, problems or ["nothing was found"])


# ---- ibsmad(8) ----


def help_lines():
    return dict(re.findall(r"^ {2,6}(-.*?) {2,}(\S.*)$", run("--help").stdout, re.MULTILINE))


def split_heading(heading):
    """Short option, long option, whether there is an argument."""
    short = re.match(r"-(\w)\b", heading)
    long = re.search(r"--([\w-]+)", heading)
    argument = re.sub(r"-\w\b,? ?|--[\w-]+", "", heading, count=2 if short and long else 1).strip()
    return short and short.group(1), long and long.group(1), bool(argument)


def options_of_source():
    text = read("agent/options.c")
    letters = re.search(r'getopt_long\(argc, argv, "([^"]*)"', text).group(1)
    short = {letter: bool(colon) for letter, colon in re.findall(r"(\w)(:?)", letters)}
    long = {(name, needs == "required", letter or None) for name, needs, letter in
            re.findall(r'\{"([\w-]+)", (required|no)_argument, NULL, (?:\'(\w)\'|\w+)\}', text)}
    return short, long


def options(tap):
    documented = headings(entries_of(*OPTIONS))
    agree(tap, "ibsmad(8) has the options of --help, with their arguments", documented, help_lines())
    split = [split_heading(heading) for heading in documented]
    short, long = options_of_source()
    agree(tap, "short options are those of getopt", {(s, argument) for s, _, argument in split if s}, set(short.items()))
    agree(tap, "long options are those of getopt", {(l, argument, s) for s, l, argument in split if l}, long)
    synopsis = plain(" ".join(plain(line) for line in section("agent/ibsmad.8", "SYNOPSIS")))
    letters = set("".join(re.findall(r"(?<![\w-])-(\w+)", synopsis)))
    agree(tap, "the synopsis has each option once in its short form", letters | set(re.findall(r"--([\w-]+)", synopsis)),
          {s or l for s, l, _ in split})


def option_values(tap):
    texts = {heading: entry.text for entry in entries_of(*OPTIONS) for heading in entry.headings}
    defaults = {heading: re.search(r"\(default: ([^)]*)\)", text) for heading, text in help_lines().items()}
    wrong = [f"{heading}: no 'Default: {default.group(1)}'" for heading, default in defaults.items()
             if default and f"Default: {default.group(1)}" not in texts[heading]]
    all_hold(tap, "defaults of --help are those of ibsmad(8)", wrong, any(defaults.values()))
    numeric = re.findall(r'take_number\("--([\w-]+)"', read("agent/options.c"))
    real = {f"--{name} {number_range(run(f'--{name}', 'x').stderr)}" for name in numeric}
    agree(tap, "ranges of options are those of ibsmad(8)", {f"--{split_heading(heading)[1]} {number_range(text)}"
                                                           for heading, text in texts.items() if number_range(text)}, real)


def defines(text):
    return dict(re.findall(r'#define (\w*TOPIC) +"(\w+)"', text))


def topics(tap):
    """The page names topics of Net-SNMP as well, in plain type."""
    paths = [path for folder in ("sma", "mib", "agent") for path in (TOP / folder).rglob("*.[ch]")]
    texts = {str(path): path.read_text(encoding="utf-8") for path in paths}
    common = defines("".join(text for name, text in texts.items() if name.endswith(".h")))
    real = {{**common, **defines(text)}.get(topic, topic.strip('"')) for text in texts.values()
            for topic in re.findall(r'sma_log\(SMA_LOG_DEBUG,\s*("\w+"|\w+)', text)}
    (entry,) = (entry for entry in entries_of(*OPTIONS) if "--debug" in entry.headings[0])
    bold = " ".join(plain(line) for line in entry.lines if line.startswith((".B ", ".BR ")))
    agree(tap, "topics of --debug are those of the log", re.findall(r"\w+", bold), real)


def signals(tap):
    text = read("agent/loop.c") + read("agent/main.c")
    real = {name for pair in re.findall(r"loop_on_signal\((SIG\w+)|sigaction\((SIG\w+)", text) for name in pair if name}
    documented = re.findall(r"SIG\w+", " ".join(headings(entries_of("agent/ibsmad.8", "SIGNALS"))))
    agree(tap, "signals are those that are handled", documented, real - INTERNAL_SIGNALS)


def statuses(tap):
    real = {str(run("--version").returncode), str(run("--help").returncode), str(run("--port", "x").returncode)}
    agree(tap, "exit statuses are described", headings(entries_of("agent/ibsmad.8", "EXIT STATUS")), real)


def variables(tap):
    documented = re.findall(r"[A-Z_]{4,}", " ".join(headings(entries_of("agent/ibsmad.8", "ENVIRONMENT"))))
    real = set(re.findall(r'getenv\("(\w+)"\)', sources("sma", "mib", "agent")))
    agree(tap, "environment variables are those that are read", documented, real | LIBRARY_VARIABLES)


def commands(tap):
    """Each line of help is the usage, blanks and what it is for."""
    usages = headings(entries_of("agent/ibsmad.8", "CONSOLE"))
    shutil.copy(TOP / "sma" / "nodes" / "ca.conf", SCRATCH)
    lines = console(str(SCRATCH / "ca.conf"), "help")
    named = {line: max((usage for usage in usages if line.startswith(usage + " ")), key=len, default=line)
             for line in lines}
    agree(tap, "commands of the console are those of help", usages, named.values())


# ---- ibsmad.conf(5) ----


def config_tokens(tap):
    agree(tap, "ibsmad.conf(5) has the tokens of ibsmad, with their values", headings(entries_of(*TOKENS)),
          [heading for heading, _, _ in config_rows()])
    tokens = [heading.split()[0] for heading in headings(entries_of(*TOKENS))]
    said = read_config("".join(f"{token} 1\n" for token in [*tokens, "noSuchToken"]))
    agree(tap, "no token of ibsmad.conf(5) is unknown to the program", ["noSuchToken"],
          re.findall(r"unknown token: (\w+)", said))


def config_ranges(tap):
    documented = {heading.split()[0]: entry.text for entry in entries_of(*TOKENS) for heading in entry.headings}
    said = read_config("".join(f"{token} {'node ' if token == 'cacheTime' else ''}x\n" for token in documented))
    real = {f"{token} {low} to {high}" for token, low, high in
            re.findall(r"line \d+: (\w+) .*: expected a whole number from (\d+) to (\d+)", said)}
    agree(tap, "ranges of tokens are those that ibsmad wants",
          {f"{token} {' to '.join(number_range(text))}" for token, text in documented.items() if number_range(text)}, real)


def config_defaults(tap):
    initial = initial_values()
    documented = {heading: entry.text for entry in entries_of(*TOKENS) for heading in entry.headings}
    problems, count = [], 0
    for heading, field, factor in config_rows():
        stated = re.search(r"Default: (\w+)", documented.get(heading, ""))
        value = initial.get(field.rpartition(".")[2]) if field else None
        if heading.endswith("yes|no"):
            expected = "yes" if value == "true" else "no"
        elif value is not None and not value.startswith("-"):
            expected = str(product(value) // factor)
        else:
            continue  # a name, or a number that is not set
        count += 1
        if not stated or stated.group(1) != expected:
            problems.append(f"{heading}: {stated and stated.group(1)}, the program has {expected}")
    all_hold(tap, "defaults of tokens are those of the program", problems, count)
    all_hold(tap, "each token has a default", [f"{heading} has none" for heading, text in documented.items()
             if "Default: " not in text and not heading.startswith("cacheTime")], len(documented))


def cache_times(tap):
    (entry,) = (entry for entry in entries_of(*TOKENS) if entry.headings[0].startswith("cacheTime"))
    inner = [(heading.split(", "), entry.text) for entry in entry.inner for heading in entry.headings]
    groups = re.search(r"one of: (.*)", read_config("cacheTime none 1\n")).group(1).split()
    agree(tap, "groups of cacheTime are those that ibsmad has", [group for names, _ in inner for group in names], groups)
    rows = re.findall(r'\[(\w+)\] = \{"(\w+)", (\d+) \* SECOND\}', read("sma/node/config.c"))
    spelt = dict(re.findall(r'\[(\w+)\] = \{"(\w+)", (?:UMAD_|0x)', read("sma/iba/attr.c") + read("sma/iba/dm.c")))
    real = {(group, spelt[attribute.replace("SMA_DM_", "DM_")], seconds) for attribute, group, seconds in rows}
    documented = set()
    for names, text in inner:
        attribute_names, _, seconds = text.partition(": ")
        split = attribute_names.split(", ")
        pairs = zip(names, split) if len(names) > 1 else [(names[0], attribute) for attribute in split]
        documented |= {(group, attribute, seconds.strip()) for group, attribute in pairs}
    agree(tap, "attributes of cacheTime and their times are those of the program", documented, real)


def config_example(tap):
    said = read_config(example("agent/ibsmad.conf.5"))
    tap.ok("ibsmad.conf: " not in said, "ibsmad takes the example of ibsmad.conf(5)", [said])


# ---- ibsmad-node(5) ----


def node_tokens(tap):
    said = read_node("noSuchTokenOfThisKind\n")
    tokens = re.search(r"expected one of (.*)", said).group(1).split(", ")
    documented = headings(entries_of(*NODE))
    agree(tap, "ibsmad-node(5) has the tokens of node files", [heading.split()[0] for heading in documented], tokens)
    real = set()
    for token in tokens:
        said = "".join(read_node(f"{node if token + ' ' not in node else ''}{token}\n") for node in NODES)
        real |= set(re.findall(rf"expected ({token} .*)", said))
    agree(tap, "values of tokens are named as in messages", documented, real)


def node_ranges(tap):
    """Of the tokens that set a size: others depend on these."""
    documented = {entry.headings[0].split()[0]: number_range(entry.text) for entry in entries_of(*NODE[:2])}
    real = {}
    for token in documented:
        match = re.search(r", (\d+) to (\d+)$", read_node(f"{token} 999999\n").strip())
        real[token] = match and match.groups()
    del real["nodeType"], real["nodeGuid"], real["vlCap"]
    agree(tap, "ranges of sizes are those that ibsmad wants", {f"{t} {documented[t]}" for t in real},
          {f"{t} {r}" for t, r in real.items()})


def node_example(tap):
    answer = console(file_with("example.conf", example("sma/ibsmad-node.5")), "show")
    tap.ok(answer[0].startswith("CA, ports: 2"), "ibsmad is the node of the example of ibsmad-node(5)", answer)


# ---- layout ----


def man_pages():
    line = re.search(r"^dist_man_MANS = (.*(?:\\\n.*)*)", read("Makefile.am"), re.MULTILINE).group(1)
    return line.replace("\\\n", " ").split()


def formats(tap, page):
    commands_of = {"groff": ["groff", "-man", "-ww", "-z", "-Tutf8"],
                   "man": ["man", "--warnings", "-E", "UTF-8", "-l", "-Tutf8", "-Z"]}
    (tool, command) = next(((tool, command) for tool, command in commands_of.items() if shutil.which(tool)), (None, None))
    if not tool:
        if os.environ.get("CI") or os.environ.get("IBSMAD_NO_SKIP"):
            tap.ok(False, f"{page} has no mistake of layout", ["neither groff nor man is installed"])
        else:
            tap.skip(f"{page} has no mistake of layout", "neither groff nor man is installed")
        return
    said = subprocess.run([*command, str(TOP / page)], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                          timeout=LIMIT, check=False, env={**os.environ, "MANROFFOPT": "", "LC_ALL": "C.UTF-8"})
    tap.ok(said.returncode == 0 and not said.stderr, f"{page} has no mistake of layout", [said.stderr])


# ---- what is sent ----


def sent(tap):
    """Numbers for a minute, by the intervals of the sources and what a reading costs (tests/notice/test_change_poll_reading.c)."""
    values = initial_values()
    facts = product(re.search(r"\bLOCAL_PORT_MS = (\d+(?: \* \d+)*)", read("sma/notice/sources.c"))[1]) // 1000
    poll, refresh = product(values["poll_ms"]) // 1000, product(values["refresh_ms"]) // 1000
    node_info, ports = 1, 36
    adapter, switch = (60 // facts + node_info + 60 // poll * cost for cost in (1, 1 + ports + 1))
    page = " ".join(plain(line) for line in section("agent/ibsmad.8", "WHAT IS SENT"))
    tap.ok(f"PortInfo of the management port every {facts} seconds, and every {poll} seconds (notifyPoll)" in page,
           "ibsmad(8): how often the node is looked at", [page])
    tap.ok(refresh == 60 and "again every minute (notifyRefresh)" in page, "ibsmad(8): how often it subscribes", [page])
    readme = " ".join(read("README.md").split())
    for name, found in (("ibsmad(8)", re.search(r"about (\d+) SMPs a minute on a channel adapter, (\d+) on a switch with 36 ports.*?"
                                                r": (\d+) a minute, (\d+) on that switch", page)),
                        ("README.md", re.search(r"about (\d+) SMPs and (\d+) PortCounters a minute on a channel adapter, (\d+) "
                                                r"and (\d+) on a switch with 36 ports", readme))):
        numbers = sorted(map(int, found.groups())) if found else []
        real = sorted((adapter, switch, 60 // poll, 60 // poll * ports))
        tap.ok(len(numbers) == 4 and all(abs(told - is_) <= is_ / 10 for told, is_ in zip(numbers, real)),
               f"{name}: what is sent in a minute", [f"told {numbers}, real {real}"])


# ---- ibsmad-mib(7) ----

MIB_PAGE = "mib/ibsmad-mib.7"


def mib_rows(name):
    with open(TOP / "tests" / "data" / name, encoding="utf-8") as file:
        return list(csv.DictReader(file))


def mib_headings(name):
    """Names, with the numbers in parentheses behind them."""
    return re.findall(r"^(ib\w+) \((\d+)\)", "\n".join(headings(entries(section(MIB_PAGE, name)))), re.MULTILINE)


def children(rows, root, *kinds):
    """Of an object, by its name: names and last numbers."""
    (parent,) = (row["oid"] for row in rows if row["name"] == root)
    return {(row["name"], row["oid"].rpartition(".")[2]) for row in rows
            if row["oid"].rpartition(".")[0] == parent and row["kind"] in kinds}


def mib_page(tap):
    sma, own, unit = (mib_rows(f"{name}-mib-objects.csv") for name in ("sma", "ibsmad", "ib-dm"))
    agree(tap, "ibsmad-mib(7) has the groups of SMA-MIB", mib_headings("GROUPS OF SMA-MIB"),
          children(sma, "ibSmaObjects", "node"))
    agree(tap, "ibsmad-mib(7) has the groups of IBSMAD-MIB", mib_headings("GROUPS OF IBSMAD-MIB"),
          children(own, "ibsmadObjects", "node", "table"))
    agree(tap, "ibsmad-mib(7) has the groups of IB-DM-MIB", mib_headings("GROUPS OF IB-DM-MIB"),
          children(unit, "ibDmObjects", "node", "table"))
    agree(tap, "ibsmad-mib(7) has the notifications", mib_headings("NOTIFICATIONS"),
          children(sma, "ibSmaNotifications", "notification") | children(unit, "ibDmNotifications", "notification"))
    names = set(re.findall(r"\bib(?:Sma|smad|Dm)[A-Z]\w+", read(MIB_PAGE)))
    known = {row["name"] for row in sma + own + unit}
    all_hold(tap, "ibsmad-mib(7) names objects that there are", names - known, names)
    tables = {row["name"] for row in sma + unit if row["kind"] == "table"}
    all_hold(tap, "ibsmad-mib(7) names each table", tables - names, tables)
    varbinds = {name for row in sma + unit if row["kind"] == "notification" for name in row["index_or_members"].split()}
    all_hold(tap, "ibsmad-mib(7) names each object of notifications", varbinds - names, varbinds)
    modules = read("mibs/SMA-MIB.txt") + read("mibs/IB-DM-MIB.txt")
    traps = {name: re.search(rf"^{name} NOTIFICATION-TYPE.*?(?:InfiniBand\s+|: )trap\s+(\d+)", modules, re.DOTALL | re.MULTILINE)[1]
             for name, _ in mib_headings("NOTIFICATIONS")}
    told = dict(re.findall(r"^(ib\w+) \(\d+\), trap (\d+)", "\n".join(headings(entries(section(MIB_PAGE, "NOTIFICATIONS")))),
                           re.MULTILINE))
    tap.equal(told, traps, "ibsmad-mib(7) says for which trap each notification is")


# ---- README.md and CONTRIBUTING.md ----


def code_of(document):
    """Lines of blocks of code, and pieces of code within the text."""
    text = read(document)
    blocks = re.findall(r"^ *```[^\n]*\n(.*?)^ *```", text, re.DOTALL | re.MULTILINE)
    rest = re.sub(r"^ *```[^\n]*\n.*?^ *```", "", text, flags=re.DOTALL | re.MULTILINE)
    return [line for block in blocks for line in block.splitlines()] + [
        " ".join(piece.split()) for piece in re.findall(r"`([^`]+)`", rest)]


def is_there(path):
    """As a file or a pattern for files, or as what make or autogen.sh makes."""
    path = path.removeprefix("./")
    listed = read("Makefile.am").split()
    return not path or any(TOP.glob(path.rstrip("/"))) or path in listed or (TOP / f"{path}.ac").exists()


def paths_of(document):
    text = read(document)
    found = [link for link in re.findall(r"\]\(([^)#]+)\)", text) if "://" not in link]
    for code in code_of(document):
        for word in re.split(r"[\s'\"(),;:=|<>&]+", code):
            if word.startswith("./") or ("/" in word and word.partition("/")[0] in FOLDERS):
                found.append(word)
    return found


def targets_of(document):
    found = []
    for code in code_of(document):
        for arguments in re.findall(r"(?:^|&& *|; *|sudo )make((?: +[^\s;&|#]+)*)", code):
            words = re.sub(r" -C +\S+", "", arguments).split()
            found += [word for word in words if not word.startswith("-") and "=" not in word]
    return found


def options_in(document):
    """Options of ibsmad: behind its name, or a piece of code of their own."""
    found = []
    for code in code_of(document):
        words = shlex.split(code, comments=True) if code.count('"') % 2 == 0 and "'" not in code else code.split()
        names = [number for number, word in enumerate(words) if word.rpartition("/")[2] == "ibsmad" and "=" not in word]
        if not names and not code.startswith("-"):
            continue
        for word in words[names[0] + 1 if names else 0:]:
            if word in ("|", ";", "&&"):
                break
            if re.match(r"--?\w", word) and not re.match(r"--(enable|with|prefix)", word):
                found.append(word)
    return found


def is_option(word):
    known = {name for heading in headings(entries_of(*OPTIONS)) for name in split_heading(heading)[:2] if name}
    return (word[2:].partition("=")[0] if word.startswith("--") else word[1]) in known


def document(tap, name):
    paths, targets, named = paths_of(name), targets_of(name), options_in(name)
    all_hold(tap, f"paths in {name} are there", [path for path in paths if not is_there(path)], paths)
    rules = set(re.findall(r"^([\w./-]+):", read("Makefile.am"), re.MULTILINE)) | STANDARD_TARGETS
    all_hold(tap, f"targets of make in {name} are there",
             [target for target in targets if target not in rules and target not in read("Makefile.am").split()], targets)
    unknown = [word for word in named if not is_option(word)]
    tap.ok(not unknown, f"options of ibsmad in {name} exist", unknown)
    configure = set(re.findall(r"AC_ARG_(?:ENABLE|WITH)\(\[([\w-]+)\]", read("configure.ac")))
    wanted = re.findall(r"--(?:enable|with)-([\w-]+)", read(name))
    tap.ok(set(wanted) <= configure, f"options of configure in {name} exist", [set(wanted) - configure])


# ---- configurations ----

# Of the other programs whose configuration is shown; a section of systemd's begins with a bracket.
OTHER_TOKENS = {"agentXPerms", "agentaddress", "includeDir", "authCommunity", "authUser", "createUser", "informsink", "master", "mibdirs", "mibs",
                "rocommunity", "rouser", "trap2sink", "trapsess", "trapsink", "view"}
# Documents, and the configurations that each has at least.
CONFIGURED = (("README.md", 4), ("agent/ibsmad.8", 8), ("agent/ibsmad.conf.5", 1), ("mib/ibsmad-mib.7", 1),
              ("sma/ibsmad-node.5", 2))


def blocks_of(document):
    """What is set as it is, each block as lines."""
    text = read(document)
    if document.endswith(".md"):
        found = re.findall(r"^ *```[^\n]*\n(.*?)^ *```", text, re.DOTALL | re.MULTILINE)
    else:
        found = re.findall(r"^\.nf\n(.*?)^\.fi", text, re.DOTALL | re.MULTILINE)
        found += re.findall(r"^\.RS\n((?:[^.\n].*\n)+)\.RE", text, re.MULTILINE)
    return [[line.strip() for line in block.splitlines()] for block in found]


def configurations(document):
    tokens = OTHER_TOKENS | {heading.split()[0] for heading in headings(entries_of(*TOKENS) + entries_of(*NODE))}
    return [block for block in blocks_of(document)
            if any(line.startswith("[") or line.split()[:1] and line.split()[0] in tokens for line in block)]


def comments(tap, document, least):
    """Net-SNMP and systemd take what is behind a line for a part of it."""
    found = configurations(document)
    tap.ok(len(found) >= least, f"configurations in {document} are found", found)
    trailing = [line for block in found for line in block
                if not line.startswith("#") and re.search(r"\s#", re.sub(r'"[^"]*"', "", line))]
    tap.equal(trailing, [], f"comments in configurations of {document} have lines of their own")


def main():
    if not os.access(IBSMAD, os.X_OK):
        skip_all(f"no daemon at {IBSMAD}")
    tap = Tap()
    for test in (options, option_values, topics, signals, statuses, variables, commands, config_tokens, config_ranges,
                 config_defaults, cache_times, config_example, node_tokens, node_ranges, node_example, sent, mib_page):
        tap.case(test)
    for page in man_pages():
        tap.case(formats, page)
    for name in ("README.md", "CONTRIBUTING.md"):
        tap.case(document, name)
    for name, least in CONFIGURED:
        tap.case(comments, name, least)
    tap.done()


if __name__ == "__main__":
    try:
        main()
    finally:
        shutil.rmtree(SCRATCH, ignore_errors=True)
