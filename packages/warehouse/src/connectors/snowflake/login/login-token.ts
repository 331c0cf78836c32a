import { createHash, createPublicKey, type KeyObject } from "node:crypto";
import { signToken } from "../../../rest/signed-token.ts";
import type { SnowflakeCredentials } from "./credentials.ts";

/** How long a token is valid, in seconds. Snowflake accepts a token for at most one hour. */
const lifetimeSeconds = 3_540;
/** A token is replaced this many seconds before it expires. */
const earlySeconds = 300;

/** Provides the token of each request, and signs a new one before it expires. */
export class LoginTokens {
  readonly credentials: SnowflakeCredentials;
  readonly #account: string;
  #signed = "";
  #endsAt = 0;

  constructor(credentials: SnowflakeCredentials, account: string) {
    this.credentials = credentials;
    this.#account = account;
  }

  take(): string {
    if (this.credentials.kind !== "KEYPAIR_JWT") return this.credentials.token;
    const now = Math.floor(Date.now() / 1_000);
    if (now >= this.#endsAt - earlySeconds) {
      const { user, key } = this.credentials;
      const subject = `${accountName(this.#account)}.${user.toUpperCase()}`;
      this.#endsAt = now + lifetimeSeconds;
      const claims = { iss: `${subject}.${fingerprintOf(key)}`, sub: subject, iat: now, exp: this.#endsAt };
      this.#signed = signToken(claims, key);
    }
    return this.#signed;
  }
}

/** Returns the account's name without its region, as the token's claims contain it. */
function accountName(account: string): string {
  const end = /\.global\b/i.test(account) ? account.indexOf("-") : account.indexOf(".");
  return (end > 0 ? account.slice(0, end) : account).toUpperCase();
}

/** Returns the fingerprint of a private key's public key, as `DESCRIBE USER` shows it. */
function fingerprintOf(key: KeyObject): string {
  const content = createPublicKey(key).export({ type: "spki", format: "der" });
  return `SHA256:${createHash("sha256").update(content).digest("base64")}`;
}
