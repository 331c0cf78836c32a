import { createPublicKey, generateKeyPairSync, verify } from "node:crypto";
import { expect, test } from "vitest";
import { parsePrivateKey, signToken } from "./signed-token.ts";

const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const pem = privateKey.export({ type: "pkcs8", format: "pem" }).toString();

function read(part = ""): unknown {
  return JSON.parse(Buffer.from(part, "base64url").toString());
}

test("a signed token has a header, its claims and a signature of the key", () => {
  const [header, claims, signature = ""] = signToken(
    { iss: "reader", exp: 1 },
    parsePrivateKey(pem, "key"),
    "k1",
  ).split(".");
  expect(read(header)).toEqual({ alg: "RS256", typ: "JWT", kid: "k1" });
  expect(read(claims)).toEqual({ iss: "reader", exp: 1 });
  const content = Buffer.from(`${header}.${claims}`);
  expect(verify("sha256", content, createPublicKey(pem), Buffer.from(signature, "base64url"))).toBe(true);
  expect(read(signToken({}, parsePrivateKey(pem, "key")).split(".")[0])).toEqual({ alg: "RS256", typ: "JWT" });
});

test("an encrypted private key is read with its passphrase", () => {
  const encrypted = privateKey
    .export({ type: "pkcs8", format: "pem", cipher: "aes-256-cbc", passphrase: "open sesame" })
    .toString();
  expect(parsePrivateKey(encrypted, "key", "open sesame").asymmetricKeyType).toBe("rsa");
  for (const passphrase of ["other", undefined])
    expect(() => parsePrivateKey(encrypted, "key", passphrase)).toThrow(/^key contains no RSA private key/);
});

test("an error about a private key quotes no part of it", () => {
  const elliptic = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey;
  const other = elliptic.export({ type: "pkcs8", format: "pem" }).toString();
  for (const text of [pem.slice(0, 400), "hunter2", "", other])
    expect(() => parsePrivateKey(text, "secrets/key.json")).toThrow(
      /^secrets\/key\.json contains no RSA private key that can be read\. Correct the key or its passphrase\.$/,
    );
});
