# SPDX-License-Identifier: BSD-2-Clause
"""Fabrics for ibsim.  The empty line at the end of each is needed."""

# The standard topology of the field reports.
T1 = """\
switchguid=0x8f10400410015
Switch\t40 "S-sw1"\t\t# "tr-sw one" base port 0
[1]\t"H-ca1"[1]{link}
[17]\t"H-ca2"[1]

Ca\t2 "H-ca1"\t\t# "ca one"
[1]\t"S-sw1"[1]{link}

Ca\t1 "H-ca2"\t\t# "ca two"
[1]\t"S-sw1"[17]

"""


def t1(link=""):
    """T1; link options for the way from H-ca1 to the switch."""
    return T1.format(link=f"\t# {link}" if link else "")


# A switch of 36 ports, behind it one with an enhanced port 0 and a CA.
F36 = """\
vendid=0x2c9
devid=0xcb20
switchguid=0x2c90300000036
Switch\t36 "F-sw1"\t\t# "thirty-six" base port 0
[1]\t"F-ca1"[1]
[36]\t"F-sw2"[8]

vendid=0x2c9
devid=0xbd36
sysimgguid=0x2c903000000ff
switchguid=0x2c90300000008
Switch\t8 "F-sw2"\t\t# "enhanced eight" enhanced port 0
[8]\t"F-sw1"[36]
[2]\t"F-ca2"[2]

vendid=0x2c9
devid=0x1003
caguid=0x2c90300001000
Ca\t2 "F-ca1"\t\t# "first node HCA-1"
[1]\t"F-sw1"[1]

caguid=0x2c90300002000
Ca\t2 "F-ca2"\t\t# "second node HCA-1"
[2]\t"F-sw2"[2]

"""

# The fabric of the published test vectors.
VECTORS = """\
vendid=0x2c9
devid=0x1003
switchguid=0x2000
Switch\t8 "Sw1"\t\t# "edge switch one" base port 0
[1]\t"Hca1"[1]
[2]\t"Hca2"[1]
[3]\t"Sw2"[1]

switchguid=0x2100
Switch\t8 "Sw2"\t\t# "edge switch two" enhanced port 0
[1]\t"Sw1"[3]
[2]\t"Hca3"[1]

devid=0x1003
caguid=0x1000
Ca\t2 "Hca1"\t\t# "node one HCA-1"
[1]\t"Sw1"[1]

caguid=0x1100
Ca\t2 "Hca2"\t\t# "node two HCA-1"
[1]\t"Sw1"[2]

caguid=0x1200
Ca\t2 "Hca3"\t\t# "node three HCA-1"
[1]\t"Sw2"[2]

rtguid=0x3000
Rt\t2 "R1"\t\t# "router one"

"""

# Two switches with two links between them, hosts at both, one of which is at both, and a router.
VIEWS = """\
switchguid=0xa01
Switch\t36 "V-sw1"\t\t# "leaf one" base port 0
[1]\t"V-ca1"[1]
[2]\t"V-ca2"[1]
[5]\t"V-r1"[1]
[20]\t"V-sw2"[20]
[21]\t"V-sw2"[21]

switchguid=0xb01
Switch\t36 "V-sw2"\t\t# "spine" base port 0
[1]\t"V-ca3"[1]
[2]\t"V-ca2"[2]
[20]\t"V-sw1"[20]
[21]\t"V-sw1"[21]

caguid=0xc01
Ca\t2 "V-ca1"\t\t# "host one"
[1]\t"V-sw1"[1]

caguid=0xc02
Ca\t2 "V-ca2"\t\t# "host two"
[1]\t"V-sw1"[2]
[2]\t"V-sw2"[2]

caguid=0xc03
Ca\t1 "V-ca3"\t\t# "host three"
[1]\t"V-sw2"[1]

rtguid=0xd01
Rt\t2 "V-r1"\t\t# "router one"
[1]\t"V-sw1"[5]

"""
