import { createPrivateKey, type KeyObject, sign } from "node:crypto";
import { ConfigError } from "@bridle/protocol";

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}

/** Creates a JSON Web Token with the given claims, signed with RS256. Times are in seconds since 1970. */
export function signToken(claims: Readonly<Record<string, string | number>>, key: KeyObject, keyId?: string): string {
  const content = `${encode({ alg: "RS256", typ: "JWT", ...(keyId === undefined ? {} : { kid: keyId }) })}.${encode(claims)}`;
  return `${content}.${sign("sha256", Buffer.from(content), key).toString("base64url")}`;
}

/** @throws ConfigError that names `place` and contains no part of the key. */
export function parsePrivateKey(pem: string, place: string, passphrase?: string): KeyObject {
  try {
    const key = createPrivateKey({ key: pem, format: "pem", ...(passphrase === undefined ? {} : { passphrase }) });
    if (key.asymmetricKeyType === "rsa") return key;
  } catch {
    // The parser's error is dropped, because its message could quote the key.
  }
  throw new ConfigError(`${place} contains no RSA private key that can be read. Correct the key or its passphrase.`);
}
