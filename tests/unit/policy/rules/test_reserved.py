"""Which numbers are places that anybody may look at, which are near, and which are never meant."""

from ipaddress import IPv6Address, ip_address, ip_network

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.policy.rules.addresses import read_address
from assent.policy.rules.reserved import Reach, reach_of, reach_of_host

NEAR = [
    *("127.0.0.1", "127.1.2.3", "10.0.0.1", "10.255.255.255", "172.16.0.1", "172.31.255.255", "192.168.1.1"),
    *("100.64.0.1", "100.127.255.254", "::1", "fc00::1", "fd12:3456::1"),
]
NEVER = [
    *("0.0.0.0", "0.1.2.3", "169.254.169.254", "169.254.0.1", "100.100.100.200", "168.63.129.16", "192.0.0.192"),
    *("224.0.0.1", "239.255.255.250", "240.0.0.1", "255.255.255.255", "192.0.2.1", "198.18.0.1", "198.51.100.7"),
    *("203.0.113.9", "192.88.99.1", "::", "fd00:ec2::254", "fe80::1", "fec0::1", "ff02::1", "2001:db8::1"),
    *("::ffff:127.0.0.1", "::ffff:8.8.8.8", "::127.0.0.1", "64:ff9b::7f00:1", "64:ff9b:1::a00:1"),
    *("2002:7f00:1::", "2002:a9fe:a9fe::1", "2001:0:4136:e378:8000:63bf:3fff:fdd2", "100::1"),
]
PUBLIC = ["8.8.8.8", "93.184.216.34", "172.15.255.255", "172.32.0.1", "100.63.255.255", "2606:2800:220:1::1", "2a00::1"]


@pytest.mark.parametrize(
    ("text", "reach"),
    [
        *((one, Reach.NEAR) for one in NEAR),
        *((one, Reach.NEVER) for one in NEVER),
        *((one, Reach.PUBLIC) for one in PUBLIC),
    ],
)
def test_a_number_by_where_it_lies(text: str, reach: Reach) -> None:
    assert reach_of(ip_address(text)) is reach


@given(st.ip_addresses())
def test_what_the_system_does_not_call_public_is_not(number: object) -> None:
    address = ip_address(str(number))
    if not address.is_global or address.is_multicast:
        assert reach_of(address) is not Reach.PUBLIC


@given(st.ip_addresses(v=4))
def test_a_number_inside_another_one_leads_nowhere(inner: object) -> None:
    value = int(ip_address(str(inner)))
    for start, shift in (("::ffff:0:0", 0), ("64:ff9b::", 0), ("::", 0), ("2002::", 80)):
        hidden = IPv6Address(int(ip_address(start)) + (value << shift))
        assert reach_of(hidden) is Reach.NEVER or hidden in ip_network("::/127")


@pytest.mark.parametrize(
    ("url", "reach"),
    [
        ("http://localhost:3000", Reach.NEAR),
        ("http://LOCALHOST.", Reach.NEAR),
        ("http://app.localhost", Reach.NEAR),
        ("http://localhost.example.org", Reach.PUBLIC),
        ("http://[::ffff:169.254.169.254]/", Reach.NEVER),
        ("http://[::1]/", Reach.NEAR),
        ("http://example.org", Reach.PUBLIC),
    ],
)
def test_a_host_as_it_is_written(url: str, reach: Reach) -> None:
    assert reach_of_host(read_address(url).host) is reach
