"""The process: the handshake of go-plugin, and the service of stage.proto."""

from __future__ import annotations

import base64
import contextlib
import datetime
import json
import os
import signal
import sys
import tempfile
import threading
from concurrent import futures
from typing import Any, Callable

import grpc
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from . import _block
from . import _stage_pb2 as pb

_COOKIE = ("ORMA_PLUGIN", "c0d1a3e4-stage")
_VERSION = 1
_FAILED, _UNAVAILABLE = 1, 2
_MAX_MESSAGE = 1 << 30


class Unavailable(Exception):
    """Something the plugin needs is away; nothing is wrong with the lines."""


def serve(plugin: Any) -> None:
    """Serves the plugin until Orma ends."""
    if os.environ.get(_COOKIE[0]) != _COOKIE[1]:
        sys.exit("This is a plugin of Orma. Name it in a [plugin.NAME] table instead of running it.")
    if str(_VERSION) not in os.environ.get("PLUGIN_PROTOCOL_VERSIONS", "").split(","):
        sys.exit("this Orma speaks another version of the protocol")
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Orma decides when it ends
    # Stray prints must not spoil the handshake: stdout carries it alone.
    handshake, sys.stdout = sys.stdout, sys.stderr
    server = grpc.server(
        futures.ThreadPoolExecutor(max_workers=16),
        options=[("grpc.max_receive_message_length", _MAX_MESSAGE), ("grpc.max_send_message_length", _MAX_MESSAGE)],
    )
    done = threading.Event()
    server.add_generic_rpc_handlers((_stage(_Service(plugin)), _health(), _controller(done)))
    credentials, certificate = _credentials()
    network, address = _listen(server, credentials)
    server.start()
    print(f"1|{_VERSION}|{network}|{address}|grpc|{certificate}", file=handshake, flush=True)
    threading.Thread(target=_end_with_host, daemon=True).start()
    done.wait()
    server.stop(1).wait()


def _end_with_host() -> None:
    """Ends when the host's end of stdin closes: then nobody is there any more."""
    with contextlib.suppress(Exception):
        while os.read(0, 4096):
            pass
    if hasattr(os, "getpgrp") and os.getpgrp() == os.getpid():
        os.killpg(0, signal.SIGKILL)
    os._exit(0)


def _credentials() -> tuple[grpc.ServerCredentials, str]:
    """Makes a certificate, and trusts only the host's."""
    client = os.environ.get("PLUGIN_CLIENT_CERT", "")
    if not client:
        sys.exit("the host gave no certificate")
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    now = datetime.datetime.now(datetime.timezone.utc)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name).issuer_name(name).public_key(key.public_key()).serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(hours=1)).not_valid_after(now + datetime.timedelta(days=3650))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH, ExtendedKeyUsageOID.CLIENT_AUTH]), critical=False)
        .sign(key, hashes.SHA256())
    )
    pem = serialization.Encoding.PEM
    key_pem = key.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    credentials = grpc.ssl_server_credentials(
        [(key_pem, certificate.public_bytes(pem))], root_certificates=client.encode(), require_client_auth=True,
    )
    der = certificate.public_bytes(serialization.Encoding.DER)
    return credentials, base64.b64encode(der).decode().rstrip("=")


def _listen(server: grpc.Server, credentials: grpc.ServerCredentials) -> tuple[str, str]:
    if os.name == "nt":
        port = server.add_secure_port("127.0.0.1:0", credentials)
        return "tcp", f"127.0.0.1:{port}"
    folder = os.environ.get("PLUGIN_UNIX_SOCKET_DIR") or tempfile.mkdtemp()
    path = os.path.join(folder, "plugin")
    server.add_secure_port("unix:" + path, credentials)
    return "unix", path


class _Service:
    """Answers calls."""

    def __init__(self, plugin: Any):
        self.plugin = plugin
        self.manifest = plugin.manifest
        self.columns = [(c["name"], c["kind"]) for c in self.manifest.get("columns", [])]
        concurrent = getattr(plugin, "concurrent", False) and self.manifest["contract"] != "rank"
        self.turn: Any = contextlib.nullcontext() if concurrent else threading.Lock()

    def Manifest(self, request: Any, context: Any) -> Any:
        return pb.ManifestReply(abi=_block.ABI, manifest=json.dumps(self.manifest).encode())

    def Configure(self, request: Any, context: Any) -> Any:
        try:
            params = _block.read_params(request.params, self.manifest.get("params", []))
            if hasattr(self.plugin, "configure"):
                self.plugin.configure(params)
        except Exception as err:  # whatever the author's code raises is the plugin's answer
            return pb.ConfigureReply(error=_error(err))
        return pb.ConfigureReply()

    def Run(self, request: Any, context: Any) -> Any:
        def rank(block: bytearray) -> bytes:
            self.plugin.rank(_block.Frame(block, self.columns))
            return bytes(block)

        return self._answer(request, context, rank)

    def Embed(self, request: Any, context: Any) -> Any:
        def embed(block: bytearray) -> bytes:
            frame = _block.Frame(block, _block.EMBED)
            kinds, texts, room = frame.i64("kind"), frame.texts("text"), frame.lists("vector")
            for query in (True, False):
                rows = [i for i in range(frame.rows) if (kinds[i] == 0) == query]
                if not rows:
                    continue
                vectors = self.plugin.embed([texts[i] for i in rows], query)
                if len(vectors) != len(rows):
                    raise ValueError(f"{len(vectors)} vectors for {len(rows)} texts")
                for i, vector in zip(rows, vectors):
                    if len(vector) != len(room[i]):
                        raise ValueError(f"a vector of {len(vector)} values, not {len(room[i])}")
                    for j, value in enumerate(vector):
                        room[i][j] = float(value)
            return bytes(block)

        return self._answer(request, context, embed)

    def Extract(self, request: Any, context: Any) -> Any:
        return self._answer(request, context, lambda b: _block.write_items(self.plugin.extract(_block.read_request(b).lines)))

    def Sleep(self, request: Any, context: Any) -> Any:
        return self._answer(request, context, lambda b: _block.write_items(self.plugin.sleep(_block.read_request(b))))

    def _answer(self, request: Any, context: Any, work: Callable[[bytearray], bytes]) -> Any:
        with self.turn:
            if not context.is_active():
                return pb.BlockReply()  # it waited longer than anybody listens
            try:
                return pb.BlockReply(block=work(bytearray(request.block)))
            except Exception as err:  # see Configure
                return pb.BlockReply(error=_error(err))


def _error(err: Exception) -> Any:
    code = _UNAVAILABLE if isinstance(err, Unavailable) else _FAILED
    return pb.Error(code=code, text=f"{type(err).__name__}: {err}"[:1000])


def _stage(service: _Service) -> grpc.GenericRpcHandler:
    block = (pb.BlockRequest, pb.BlockReply)
    calls = {"Manifest": (pb.ManifestRequest, pb.ManifestReply), "Configure": (pb.ConfigureRequest, pb.ConfigureReply)}
    calls.update({name: block for name in ("Run", "Embed", "Extract", "Sleep")})
    return grpc.method_handlers_generic_handler("orma.stage.v1.Stage", {
        name: grpc.unary_unary_rpc_method_handler(
            getattr(service, name), request_deserializer=request.FromString, response_serializer=reply.SerializeToString,
        )
        for name, (request, reply) in calls.items()
    })


def _raw(call: Callable[[bytes, Any], bytes]) -> grpc.RpcMethodHandler:
    return grpc.unary_unary_rpc_method_handler(call, request_deserializer=bytes, response_serializer=bytes)


def _health() -> grpc.GenericRpcHandler:
    """The standard health service, by which the host sees that the plugin lives."""
    serving = b"\x08\x01"  # HealthCheckResponse{status: SERVING}
    return grpc.method_handlers_generic_handler("grpc.health.v1.Health", {"Check": _raw(lambda request, context: serving)})


def _controller(done: threading.Event) -> grpc.GenericRpcHandler:
    """go-plugin's way of asking for the end."""

    def shutdown(request: bytes, context: Any) -> bytes:
        done.set()
        return b""

    return grpc.method_handlers_generic_handler("plugin.GRPCController", {"Shutdown": _raw(shutdown)})
