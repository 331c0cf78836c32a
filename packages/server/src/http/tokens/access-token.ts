import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { z } from "zod";
import type { Role } from "../route.ts";

/** A token that a server accepts. Only its hash is stored. */
export interface AccessToken {
  /** The name of the owner. It is recorded with every action of the owner. Never a part of the token. */
  readonly name: string;
  readonly role: Role;
  /** The user whose agents and sessions the owner can access. Undefined for the project itself. */
  readonly namespace: string | undefined;
  /** The token's SHA-256 hash. The token has enough entropy, so no slower hash is needed. */
  readonly hash: Buffer;
}

/** Creates a token with 256 random bits, valid for one start of a server. */
export function createToken(): string {
  return `bridle_${randomBytes(32).toString("base64url")}`;
}

/** The schema of a new token for a user of `serve.users`, and its hash for `bridle.yaml`. Printed by `bridle serve --new-token --json`. */
export const newTokenSchema = z.strictObject({ token: z.string(), tokenHash: z.string() });

export function newUserToken(): z.output<typeof newTokenSchema> {
  const token = createToken();
  return { token, tokenHash: `sha256:${hashToken(token).toString("hex")}` };
}

export function hashToken(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}

/** Reads the token in an `Authorization: Bearer` header. */
export function bearerToken(authorization: string | undefined): string | undefined {
  return /^Bearer +([\x21-\x7e]{1,512}) *$/i.exec(authorization ?? "")?.[1];
}

/** Compares the token with all known tokens, so that the response time reveals nothing about similar tokens. */
export function findToken(token: string, tokens: readonly AccessToken[]): AccessToken | undefined {
  const given = hashToken(token);
  const [found] = tokens.filter(({ hash }) => timingSafeEqual(hash, given));
  return found;
}
