#!/usr/bin/env -S python3 -B
# SPDX-License-Identifier: BSD-2-Clause
"""The subscription with subnet administration, opensm's and one of the tests, and the traps that come by it."""

import contextlib
import os
import struct
import time
from typing import NamedTuple

import agents
import bed
import netfiles
import notices
import oracle
import snmp
import trapd
from bed import wait_for
from tap import Tap, require_daemon
from together import together

# ---- a daemon and what leaves it ----


class Watched(NamedTuple):
    daemon: agents.Subscriber
    sink: trapd.Sink
    client: snmp.Client

    def log(self):
        return self.daemon.log()

    def ten(self, since=0):
        return [(one.name, one.varbinds) for one in self.sink.of()[since:]]


@contextlib.contextmanager
def watched(fabric, host, config, kind=agents.Subscriber):
    with (trapd.Sink() as sink, agents.Snmpd(fabric.folder, extra=sink.line("trap2sink")) as snmpd,
          snmp.Client(snmpd.port) as client,
          kind(fabric.folder, snmpd, fabric, host, config=f"agentXPingInterval 1\n{config}") as daemon,
          agents.ends_well(daemon)):
        agents.wait_serving(client, daemon)
        yield Watched(daemon, sink, client)


def gid_of(fabric, host):
    with fabric.reader(host) as reader:
        return reader.get(oracle.PORT_INFO)[8:16] + reader.get(oracle.NODE_INFO)[20:28]


def lid_of(fabric, host):
    with fabric.reader(host) as reader:
        return int.from_bytes(reader.get(oracle.PORT_INFO)[16:18], "big")


def issued_by(lid, notice):
    return notice[:6] + lid.to_bytes(2, "big") + notice[8:]


# ---- subnet administration of the tests ----

CA, ADMINISTRATION = "H-ca1", "H-ca2"
ALONE = "notifyPoll 0\n"
# All LIDs, generic, to subscribe, all types and traps, a time to answer, all producers.
INFORM = bytes.fromhex("ffff 0000 0000 01 01 ffff ffff 000000 12 00 ffffff")


def another_lid(fabric, lid):
    """The port gets one more, of an LMC; the simulator goes on with the one before."""
    with fabric.reader(CA) as reader:
        info = bytearray(reader.get(oracle.PORT_INFO))
        info[16:18] = (lid & ~1).to_bytes(2, "big")
        info[32] &= 0xF0  # the state and
        info[33] &= 0x0F  # the physical state stay
        info[34] |= 1  # LMC
        reader.set(oracle.PORT_INFO, 0, bytes(info))
    return lid ^ 1


def own_only(tap, fabric):
    gid, lid = gid_of(fabric, CA), lid_of(fabric, CA)
    with (bed.Station(fabric, ADMINISTRATION, "sm") as administration,
          watched(fabric, CA, f"notify own\n{ALONE}") as w):
        wait_for(administration.subscriptions, "a subscription")
        tap.equal(administration.subscriptions(), {lid: gid + INFORM}, "notify own: InformInfo asks for the port's GID")
        for notice in (notices.bad_p_key(1), issued_by(lid, notices.bad_p_key(2)), notices.bad_p_key(3),
                       issued_by(lid, notices.bad_p_key(4))):
            administration.report(notice)
        w.sink.wait(2)
        tap.equal([notices.queue_pair(one) for one in w.sink.of()], [2, 4], "Reports of other nodes make nothing")
        wait_for(lambda: administration.answered() == 4, "answers")
        tap.ok(True, "but are answered")
        another = another_lid(fabric, lid)
        administration.report(issued_by(another, notices.bad_p_key(5)))
        w.sink.wait(3)
        tap.equal([notices.queue_pair(one) for one in w.sink.of()][2:], [5], "a LID that the port has just got is its own")
        administration.report(issued_by(lid, notices.TEN[0].notice), 2)
        w.sink.wait(4)
        wait_for(lambda: administration.answered() == 7, "answers")
        tap.equal(w.daemon.stop(), 0, "exit status 0")
        w.sink.wait(5)
        tap.equal([one.number for one in w.sink.of()[3:]], [notices.LINK_STATE] * 2,
                  "a link state that changed since it was told is told once more at the end")
        wait_for(lambda: administration.subscriptions() == {}, "the end of the subscription")
        tap.ok(True, "the subscription ends with the daemon")


REPORTS = 5000
REPEATED = snmp.oid("1.3.6.1.4.1.8072.9999.9999.117.1.3.4.0")


def subnet(tap, fabric):
    lid = lid_of(fabric, CA)
    with bed.Station(fabric, ADMINISTRATION, "sm") as administration:
        administration.deaf(True)
        with watched(fabric, CA, f"notify subnet\n{ALONE}") as w:
            wait_for(lambda: administration.unanswered() >= 2, "a second request to subscribe")
            tap.ok(w.log().count("no subscription to traps with the SA") == 1, "an SA that does not answer: one line",
                   [w.log()])
            administration.deaf(False)
            wait_for(administration.subscriptions, "a subscription")
            tap.equal(administration.subscriptions(), {lid: bytes(16) + INFORM},
                      "it is asked again; notify subnet: InformInfo asks for all")
            administration.report(notices.bad_p_key(5), REPORTS)
            administration.report(notices.bad_p_key(6))
            w.sink.wait(2)
            tap.equal([notices.queue_pair(one) for one in w.sink.of()], [5, 6],
                      f"{REPORTS} equal Reports: one notification")
            with contextlib.suppress(bed.NotInTime):
                wait_for(lambda: administration.answered() > REPORTS, "the last answer")
            tap.equal(administration.answered(), REPORTS + 1, "each Report was answered")
            tap.equal(w.client.get(REPEATED)[0].value, REPORTS - 1, "ibsmadNoticesRepeated counts the others")
            tap.ok(w.log().count("subscribed to traps with the SA") == 1, "one line about the subscription", [w.log()])


def trap_agent(tap, fabric):
    """On the port of the subnet manager, while none runs there."""
    lid = lid_of(fabric, ADMINISTRATION)
    # The first SM there sends trap 144 to itself, on which the simulator's library crashes before ibsmad has registered.
    with bed.Station(fabric, ADMINISTRATION, "sm"):
        pass
    with (bed.Station(fabric, CA) as station,
          watched(fabric, ADMINISTRATION,
                  f"notify subnet\nnotifyTrapAgent yes\nnotifySubscribe no\nexposeKeys yes\n{ALONE}") as w):
        wait_for(lambda: "taking the Traps" in w.log(), "the trap agent")
        for case in notices.TEN:
            station.trap(lid, case.notice)
        w.sink.wait(len(notices.TEN))
        tap.equal(w.ten(), [(case.oid, case.varbinds) for case in notices.TEN], "Traps to QP0: all ten")
        wait_for(lambda: fabric.log().count("got trap repress") == len(notices.TEN), "represses")
        tap.ok(True, "each is repressed")


# As in infiniband/verbs.h.
PKEY_CHANGE, CLIENT_REREGISTER = 12, 17


class Driven(agents.Subscriber):
    """Its driver tells of events; here they come from the test."""

    def __init__(self, *args, **options):
        super().__init__(*args, **options)
        self.events = os.path.join(self.home, "events")
        os.mkfifo(self.events)

    def env(self):
        env = super().env()
        stand_in = os.path.join(os.path.dirname(agents.daemon_binary()), "tests", "fakes", "fakeverbs.so")
        return env | {"LD_PRELOAD": f"{env['LD_PRELOAD']} {stand_in}", "FAKEVERBS_DEVICE": "ibsim0",
                      "FAKEVERBS_EVENTS": self.events}

    def event(self, number, port=1):
        with open(self.events, "wb") as pipe:
            pipe.write(struct.pack("=II", number, port))


RARELY = "notifyPoll 0\nnotifyRefresh 3600\ncacheTime pkey 3600\n"
SECOND_P_KEY = oracle.OBJECTS["ibSmaPKeyBase"].oid + (255, 2)


def driver_tells(tap, fabric):
    """What would be found out an hour later."""
    gid, lid = gid_of(fabric, CA), lid_of(fabric, CA)
    with watched(fabric, CA, RARELY, Driven) as w:
        with bed.Station(fabric, ADMINISTRATION, "sm") as administration:
            wait_for(administration.subscriptions, "a subscription")
        with bed.Station(fabric, ADMINISTRATION, "sm") as administration:
            w.daemon.event(CLIENT_REREGISTER, port=2)
            tap.equal(administration.subscriptions(), {}, "a subnet manager that has started again knows no subscriber")
            w.daemon.event(CLIENT_REREGISTER)
            wait_for(administration.subscriptions, "a subscription")
            tap.equal(administration.subscriptions(), {lid: gid + INFORM}, "client reregister: subscribed again")
            administration.report(issued_by(lid, notices.bad_p_key(7)))
            w.sink.wait(1)
            tap.equal([notices.queue_pair(one) for one in w.sink.of()], [7], "and notices come")
        keys_change(tap, fabric, w)


def keys_change(tap, fabric, w):
    def key():
        return w.client.get(SECOND_P_KEY)[0].value

    before = key()
    with fabric.reader(CA) as reader:
        reader.set(oracle.PKEY_TABLE, 0, bytes.fromhex("ffff 8123"))
    tap.ok(before != 0x0123 and key() == before, "a new P_Key: with cacheTime pkey 3600 the MIB has the old one", [before])
    w.daemon.event(PKEY_CHANGE)
    wait_for(lambda: key() == 0x0123, "the new P_Key")
    tap.ok(True, "and the new one when the driver reports it")


SWITCH = "S-sw1"
LINK_STATE = oracle.OBJECTS["ibSmaPortLinkState"].oid + (1,)
DOWN, INITIALIZE = 2, 3


def refreshed(tap, fabric):
    """A notice that is not sent on, as it repeats another, has what it is about read again all the same."""
    lid = lid_of(fabric, SWITCH)
    with (bed.Station(fabric, ADMINISTRATION, "sm") as administration,
          watched(fabric, SWITCH, f"{ALONE}cacheTime port 3600\n") as w):
        wait_for(administration.subscriptions, "a subscription")
        states = [w.client.get(LINK_STATE)[0].value]
        for count, command in enumerate(("Unlink", "ReLink", "Unlink"), 1):
            fabric.command(f'{command} "{SWITCH}"[1]')
            administration.report(issued_by(lid, notices.TEN[0].notice))
            wait_for(lambda n=count: administration.answered() == n, "an answer")
            states.append(w.client.get(LINK_STATE)[0].value)
        tap.equal(states[1:], [DOWN, INITIALIZE, DOWN], "cacheTime port 3600: after each notice the MIB has the new state")
        w.sink.wait(1)
        tap.equal((w.sink.count(), w.client.get(REPEATED)[0].value), (1, 2), "of which one is sent on")


def without_manager(tap, folder):
    """opensm gives LIDs, and goes."""
    with bed.Fabric(netfiles.t1(), folder) as fabric:
        with bed.LoneSM(fabric, ADMINISTRATION):
            pass
        for case in (own_only, subnet, trap_agent, driver_tells, refreshed):
            tap.case(case, fabric)


# ---- opensm ----

STAR = """\
switchguid=0x2c90300000100
Switch\t8 "N-sw"\t\t# "star" base port 0
[1]\t"N-ca1"[1]
[2]\t"N-ca2"[1]
[3]\t"N-ca3"[1]
[4]\t"N-ca4"[1]

caguid=0x2c90300001000
Ca\t1 "N-ca1"\t\t# "subscriber"
[1]\t"N-sw"[1]

caguid=0x2c90300002000
Ca\t1 "N-ca2"\t\t# "first manager"
[1]\t"N-sw"[2]

caguid=0x2c90300003000
Ca\t1 "N-ca3"\t\t# "second manager"
[1]\t"N-sw"[3]

caguid=0x2c90300004000
Ca\t1 "N-ca4"\t\t# "comes and goes"
[1]\t"N-sw"[4]

"""
HUB, FIRST, SECOND = "N-sw", "N-ca2", "N-ca3"
# opensm passes these on.
PASSED_ON = [case for case in notices.TEN
             if case.number not in (notices.INTEGRITY, notices.OVERRUN, notices.FLOW_CONTROL)]
REFRESH = 3
SHORT = f"notifyRepeat 2\nnotifyRefresh {REFRESH}\nexposeKeys yes\n"


class Scene(NamedTuple):
    """A subscriber to the whole subnet, and the switch that watches itself in two ways."""
    fabric: bed.Fabric
    subscriber: Watched
    hub: Watched
    station: bed.Station

    @property
    def both(self):
        return self.subscriber, self.hub


def subscribed(scene, manager, name, tap):
    """Once in a while a daemon looks which subnet manager it has."""
    line = f"subscribed to traps with the SA at LID {lid_of(scene.fabric, manager)}"
    for one in scene.both:
        wait_for(lambda w=one: line in w.log(), line)
    tap.ok(True, name)


def hub_lid(fabric):
    return notices.varbind("ibSmaNodeLid", lid_of(fabric, HUB))


def pass_by(scene, manager, number):
    """Waits until a notice that was injected now has arrived, and with it all before."""
    notice = issued_by(lid_of(scene.fabric, HUB), notices.bad_p_key(number))
    scene.station.trap(lid_of(scene.fabric, manager), notice)
    for one in scene.both:
        wait_for(lambda w=one: any(notices.queue_pair(got) == number for got in w.sink.of(notices.BAD_P_KEY)),
                 f"a notice by {manager}")


def one_link_state(tap, scene, manager, command, number, name):
    """A cable comes or goes: the switch tells, once."""
    before = [one.sink.count(notices.LINK_STATE) for one in scene.both]
    complaint = scene.fabric.command(command)
    for one, count in zip(scene.both, before):
        one.sink.wait(count + 1, numbers=[notices.LINK_STATE])
    pass_by(scene, manager, number)
    got = [one.sink.of(notices.LINK_STATE)[count:] for one, count in zip(scene.both, before)]
    tap.ok([[g.varbinds for g in each] for each in got] == [[(hub_lid(scene.fabric),)]] * 2, name, [got, complaint])


def injected(tap, scene, manager):
    """One by one: opensm passes them on in any order."""
    hub, sm = lid_of(scene.fabric, HUB), lid_of(scene.fabric, manager)
    before = [one.sink.count() for one in scene.both]
    cases = PASSED_ON[1:]
    for number, case in enumerate(cases, 1):
        scene.station.trap(sm, issued_by(hub, case.notice))
        for one, count in zip(scene.both, before):
            one.sink.wait(count + number)
    for one, count in zip(scene.both, before):
        tap.equal(one.ten(count), [(case.oid, case.varbinds) for case in cases],
                  f"{', '.join(case.name for case in cases)}: by opensm, to a subscriber")


def comes_back(tap, scene, manager):
    """opensm starts again on its port, and has forgotten who subscribed."""
    hub, sm = lid_of(scene.fabric, HUB), lid_of(scene.fabric, manager)
    numbers = range(1000, 2000)
    sent = iter(numbers)

    def arrived(one):
        scene.station.trap(sm, issued_by(hub, notices.bad_p_key(next(sent))))
        return any(notices.queue_pair(got) in numbers for got in one.sink.of(notices.BAD_P_KEY))

    for one in scene.both:
        wait_for(lambda w=one: arrived(w), "a notice after the start of opensm", interval=0.1)
    tap.ok(True, f"opensm starts again on the same port: notices again, with notifyRefresh {REFRESH}")


def cpu_seconds(process):
    with open(f"/proc/{process.pid}/stat", encoding="ascii") as file:
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


ALONE_SECONDS, LOG_LINES = 2, 10


def own_lines(one):
    """Without those of the simulator's library."""
    return sum(not line.startswith("ERR: ") for line in one.log().splitlines())


def fabric_ends(tap, scene):
    lines = [own_lines(one) for one in scene.both]
    scene.fabric.stop()
    before = [cpu_seconds(one.daemon.process) for one in scene.both]
    time.sleep(ALONE_SECONDS)
    spent = [cpu_seconds(one.daemon.process) - then for one, then in zip(scene.both, before)]
    added = [own_lines(one) - then for one, then in zip(scene.both, lines)]
    tap.ok(max(spent) < ALONE_SECONDS / 20 and max(added) <= LOG_LINES,
           "without ibsim: no busy loop, no flood of lines", [spent, added, *(one.log() for one in scene.both)])


POLL_SECONDS = 1
DOUBTFUL = f"notify own\nnotifyPoll {POLL_SECONDS}\nnotifyRepeat 0\n"
LOOK = f"{DOUBTFUL}notifySubscribe no\n"


def looked(hub):
    """Waits until the daemon has looked at the ports since now."""
    end = time.monotonic() + 2.5 * POLL_SECONDS
    wait_for(lambda: time.monotonic() > end, "a look at the ports")
    return hub.sink.count()


def by_looking(tap, folder):
    """Without a subscription: a cable that comes or goes is seen, but what the subnet manager sets is no event."""
    with bed.Fabric(STAR, folder) as fabric, watched(fabric, HUB, LOOK) as hub:
        looked(hub)
        with bed.LoneSM(fabric, FIRST):
            tap.ok(looked(hub) == 0, "looking: ports become active, and nothing is told", [hub.sink.of(), hub.log()])
            for count, command in enumerate(("Unlink", "ReLink"), hub.sink.count() + 1):
                fabric.command(f'{command} "{HUB}"[4]')
                hub.sink.wait(count)
                got = looked(hub)
                tap.ok((got, hub.sink.of()[-1].varbinds) == (count, (hub_lid(fabric),)),
                       f"looking: {command}, one ibSmaPortLinkStateChange", [hub.sink.of(), hub.log()])


# Longer than polling and finding out take together; notifyRefresh, which is 60, does not come into it.
IN_DOUBT = 8


def one_more(tap, hub, act, name):
    """One link state notice, which it takes the poll to see, and no other before."""
    before = hub.sink.count(notices.LINK_STATE)
    act()
    hub.sink.wait(before + 1, numbers=[notices.LINK_STATE])
    tap.ok(hub.sink.count(notices.LINK_STATE) == before + 1, name, [hub.log()])


def settled(hub, count):
    """Whether there are as many notices when nothing is in doubt any more."""
    end = time.monotonic() + IN_DOUBT
    wait_for(lambda: time.monotonic() > end, "the end of all doubts")
    return hub.sink.count(notices.LINK_STATE) == count


@contextlib.contextmanager
def doubtful(folder):
    with bed.Fabric(STAR, folder) as fabric, watched(fabric, HUB, DOUBTFUL) as hub:
        yield fabric, hub


def subscribed_at(fabric, hub, manager):
    line = f"subscribed to traps with the SA at LID {lid_of(fabric, manager)}"
    wait_for(lambda: line in hub.log(), line)


def no_doubt(tap, folder):
    with doubtful(folder) as (fabric, hub), bed.LoneSM(fabric, FIRST):
        subscribed_at(fabric, hub, FIRST)
        one_more(tap, hub, lambda: fabric.command(f'Unlink "{HUB}"[4]'), "subscribed: Unlink is told")
        tap.ok(settled(hub, 1), "once, and polling adds nothing", [hub.log()])


def forgotten(tap, folder):
    """The subscription looks confirmed, but the subnet manager has forgotten it."""
    with doubtful(folder) as (fabric, hub):
        with bed.LoneSM(fabric, FIRST):
            subscribed_at(fabric, hub, FIRST)
            fabric.command(f'Unlink "{HUB}"[4]')
            hub.sink.wait(1)
            looked(hub)
        with bed.LoneSM(fabric, FIRST):
            one_more(tap, hub, lambda: fabric.command(f'ReLink "{HUB}"[4]'),
                     "opensm was started again: ReLink is told by polling")
            tap.ok("seen by polling, and not reported otherwise" in hub.log(), "and the log says so", [hub.log()])
            one_more(tap, hub, lambda: fabric.command(f'Unlink "{HUB}"[1]'), "which renews the subscription")
            tap.ok(settled(hub, 3), "one notification each", [hub.log()])


def out_of_reach(tap, folder):
    """The subscription looks confirmed, but the subnet manager is dead or cannot be reached."""
    with doubtful(folder) as (fabric, hub):

        def killed():
            manager.process.kill()
            manager.wait_end()
            time.sleep(1)
            fabric.command(f'Unlink "{HUB}"[4]')

        with bed.LoneSM(fabric, FIRST) as manager:
            subscribed_at(fabric, hub, FIRST)
            one_more(tap, hub, killed, "opensm was killed: Unlink is told by polling")
        with bed.LoneSM(fabric, SECOND):
            subscribed_at(fabric, hub, SECOND)
            one_more(tap, hub, lambda: fabric.command(f'Unlink "{HUB}"[3]'),
                     "the link to the subnet manager: Unlink is told by polling")
            tap.ok(settled(hub, 2), "two changes, two notifications", [hub.log()])


def with_manager(tap, folder):
    with (bed.Fabric(STAR, folder) as fabric,
          watched(fabric, "N-ca1", f"notify subnet\n{ALONE}{SHORT}") as subscriber,
          watched(fabric, HUB, f"notify own\nnotifyPoll 1\n{SHORT}") as hub):
        for one in (subscriber, hub):
            wait_for(lambda w=one: "no subscription to traps while" in w.log(), "a line about the missing LID")
        tap.ok(True, "without a subnet manager: no subscription, and a line says why")
        with bed.LoneSM(fabric, FIRST), bed.Station(fabric, HUB) as station:
            scene = Scene(fabric, subscriber, hub, station)
            subscribed(scene, FIRST, "opensm starts: subscribed", tap)
            one_link_state(tap, scene, FIRST, f'Unlink "{HUB}"[4]', 901, "Unlink: one ibSmaPortLinkStateChange each")
            tap.case(injected, scene, FIRST)
            tap.ok(settled(hub, 1), "polling adds nothing to Unlink", [hub.log()])
        with bed.LoneSM(fabric, SECOND), bed.Station(fabric, HUB) as station:
            scene = scene._replace(station=station)
            subscribed(scene, SECOND, "opensm stops, and starts on another node: subscribed there", tap)
            one_link_state(tap, scene, SECOND, f'ReLink "{HUB}"[4]', 902, "ReLink: one more each")
            tap.ok(settled(hub, 2), "polling adds nothing to ReLink", [hub.log()])
        with bed.LoneSM(fabric, SECOND), bed.Station(fabric, HUB) as station:
            tap.case(comes_back, scene._replace(station=station), SECOND)
        counts = [one.sink.count(notices.LINK_STATE) for one in scene.both]
        tap.ok(counts == [2, 2], "two changes, two notifications", [counts, *(one.log() for one in scene.both)])
        tap.equal([one.sink.errors for one in scene.both], [[], []], "nothing else was received")
        tap.case(fabric_ends, scene)


def main():
    require_daemon()
    bed.end_on_sigterm()
    tap = Tap()
    with bed.scratch() as folder:
        cases = (without_manager, with_manager, by_looking, no_doubt, forgotten, out_of_reach)
        together(tap, [(case, folder) for case in cases], len(cases))
    tap.done()


if __name__ == "__main__":
    main()
