"""Talking to anybody at all."""

from tests.hostile.attacks.attack import EPERM, THROUGH, attack

_REAL = [
    ("TCP", 'socket.create_connection(("127.0.0.1", given["tcp_port"]))'),
    (
        "UDP",
        "caller = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)\n"
        'caller.sendto(b"secret", ("127.0.0.1", given["udp_port"]))',
    ),
    ("netlink", "socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0)"),
    (
        "an abstract socket",
        "caller = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)\n"
        'caller.sendto(b"secret", "\\0" + given["abstract"])',
    ),
    (
        "a socket's path, from a pair of datagram sockets",
        "pair = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)\n"
        'pair[0].sendto(b"secret", given["socket"])',
    ),
    (
        "descriptors that travel",
        "import array\n"
        "pair = socket.socketpair()\n"
        'rights = (socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [0]))\n'
        'pair[0].sendmsg([b"x"], [rights])',
    ),
]

_BY_ADDRESS = """
pair = socket.socketpair()
address = struct.pack("H108s", socket.AF_UNIX, given["socket"].encode())
syscall("sendto", pair[0].fileno(), b"x", 1, 0, address, len(address))
"""

ATTACKS = [
    *(attack(f"reach {name}", "seccomp", EPERM, body, control=THROUGH) for name, body in _REAL),
    attack("send to an address from a connected pair", "seccomp", EPERM, _BY_ADDRESS),
    *(
        attack(f"open a socket of {name}", "seccomp", EPERM, f"socket.socket({family}, {kind})")
        for name, family, kind in (("packets", 17, 3), ("AF_ALG", 38, 5), ("vsock", 40, 1))
    ),
    attack("listen", "seccomp", EPERM, 'socket.create_server(("127.0.0.1", 0))', control=THROUGH),
]
