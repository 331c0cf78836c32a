import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { z } from "zod";
import type { Role } from "../route.ts";

/** A token that a server accepts. The token itself is not kept. */
export interface AccessToken {
  /** The name of its owner, which is on record with what the owner does. Never a part of the token. */
  readonly name: string;
  readonly role: Role;
  /** The user whose agents and sessions the owner sees. Undefined for those of the project itself. */
  readonly namespace: string | undefined;
  /** SHA-256. A token has so many bits of chance that it needs no slower hash. */
  readonly hash: Buffer;
}

/** 256 bits, for one start of a server. */
export function createToken(): string {
  return `bridle_${randomBytes(32).toString("base64url")}`;
}

/** A token for a user of `serve.users`, and what the file has of it. `bridle serve --new-token --json` prints it. */
export const newTokenSchema = z.strictObject({ token: z.string(), tokenHash: z.string() });

export function newUserToken(): z.output<typeof newTokenSchema> {
  const token = createToken();
  return { token, tokenHash: `sha256:${hashToken(token).toString("hex")}` };
}

export function hashToken(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}

/** The token of a header `Authorization: Bearer`. */
export function bearerToken(authorization: string | undefined): string | undefined {
  return /^Bearer +([\x21-\x7e]{1,512}) *$/i.exec(authorization ?? "")?.[1];
}

/** Compares with every token, so that the time says nothing about which is near. */
export function findToken(token: string, tokens: readonly AccessToken[]): AccessToken | undefined {
  const given = hashToken(token);
  const [found] = tokens.filter(({ hash }) => timingSafeEqual(hash, given));
  return found;
}
