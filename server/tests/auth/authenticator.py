"""A WebAuthn authenticator in software: what a browser and a security key do together."""

import hashlib
import json
import os
import struct
from dataclasses import dataclass, field
from typing import Any

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from webauthn.helpers import base64url_to_bytes, bytes_to_base64url, encode_cbor

PRESENT, VERIFIED, ATTESTED = 0x01, 0x04, 0x40


@dataclass
class Authenticator:
    """One passkey; `count` of None is an authenticator without a counter."""

    rp_id: str = "desk.example"
    origin: str = "https://desk.example"
    count: int | None = 0
    flags: int = PRESENT | VERIFIED
    handle: str = ""
    key: ec.EllipticCurvePrivateKey = field(
        default_factory=lambda: ec.generate_private_key(ec.SECP256R1())
    )
    credential_id: bytes = field(default_factory=lambda: os.urandom(32))

    @property
    def id(self) -> str:
        return bytes_to_base64url(self.credential_id)

    def create(self, options: dict[str, Any]) -> dict[str, Any]:
        """What `navigator.credentials.create` makes of these options."""
        self.handle = options["user"]["id"]
        numbers = self.key.public_key().public_numbers()
        public = {
            1: 2, 3: -7, -1: 1, -2: numbers.x.to_bytes(32, "big"), -3: numbers.y.to_bytes(32, "big"),
        }  # fmt: skip
        attested = (
            bytes(16)
            + struct.pack(">H", len(self.credential_id))
            + self.credential_id
            + encode_cbor(public)
        )
        data = self._data(ATTESTED) + attested
        made = {"fmt": "none", "attStmt": {}, "authData": data}
        response = {
            "clientDataJSON": self._client_data("webauthn.create", options["challenge"]),
            "attestationObject": bytes_to_base64url(encode_cbor(made)),
        }
        return self._credential(response)

    def get(self, options: dict[str, Any]) -> dict[str, Any]:
        """What `navigator.credentials.get` makes of these options."""
        if self.count is not None:
            self.count += 1
        data = self._data(0)
        client = self._client_data("webauthn.get", options["challenge"])
        signed = data + hashlib.sha256(base64url_to_bytes(client)).digest()
        response = {
            "clientDataJSON": client,
            "authenticatorData": bytes_to_base64url(data),
            "signature": bytes_to_base64url(self.key.sign(signed, ec.ECDSA(hashes.SHA256()))),
            "userHandle": self.handle,
        }
        return self._credential(response)

    def _data(self, flags: int) -> bytes:
        rp = hashlib.sha256(self.rp_id.encode()).digest()
        return rp + bytes([self.flags | flags]) + struct.pack(">I", self.count or 0)

    def _client_data(self, kind: str, challenge: str) -> str:
        data = {"type": kind, "challenge": challenge, "origin": self.origin, "crossOrigin": False}
        return bytes_to_base64url(json.dumps(data).encode())

    def _credential(self, response: dict[str, str]) -> dict[str, Any]:
        return {
            "id": self.id,
            "rawId": self.id,
            "type": "public-key",
            "response": response,
            "clientExtensionResults": {},
        }
