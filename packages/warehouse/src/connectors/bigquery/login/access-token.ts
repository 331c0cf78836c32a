import { AuthenticationError } from "@bridle/protocol";
import { z } from "zod";
import { sendRest } from "../../../rest/rest-request.ts";
import { parseServiceAddress } from "../../../rest/service-address.ts";
import { parsePrivateKey, signToken } from "../../../rest/signed-token.ts";
import { toSentence } from "../../../sessions/sentence.ts";
import type { GoogleCredentials, ServiceAccount } from "./credentials.ts";

/** The OAuth scope of the tokens. The jobs API accepts no read-only scope, but this scope gives access to BigQuery only. */
const scope = "https://www.googleapis.com/auth/bigquery";
const lifetimeSeconds = 3_600;
/** A token is replaced this many seconds before it expires. */
const earlySeconds = 120;

const issued = z.object({ access_token: z.string(), expires_in: z.number().default(lifetimeSeconds) });
const refused = z.object({ error: z.string(), error_description: z.string().optional() });

const service = {
  product: "The login of Google",
  isTransient: ({ status }: { readonly status: number }) => status === 429 || status >= 500,
};

/** Provides access tokens, and replaces them before they expire. */
export class AccessTokens {
  readonly #credentials: GoogleCredentials;
  #current: Promise<string> | undefined;
  #endsAt = 0;

  constructor(credentials: GoogleCredentials) {
    this.#credentials = credentials;
  }

  /** Whether a token can be replaced if the service refuses it. */
  get canRenew(): boolean {
    return this.#credentials.kind !== "token";
  }

  /** The location of the credentials. */
  get place(): string {
    return this.#credentials.kind === "token" ? "token" : this.#credentials.place;
  }

  /** Returns a valid token. `answerMs` is the time limit for the answer to the login. */
  take(answerMs?: number): Promise<string> {
    if (this.#current === undefined || Date.now() >= this.#endsAt) {
      this.#endsAt = Number.POSITIVE_INFINITY;
      this.#current = this.#request(answerMs).catch((error: unknown) => {
        this.#current = undefined;
        throw error;
      });
    }
    return this.#current;
  }

  /** Forgets a token that the service refuses. */
  drop(): void {
    this.#current = undefined;
  }

  async #request(answerMs: number | undefined): Promise<string> {
    if (this.#credentials.kind === "token") return this.#credentials.token;
    const { account, place } = this.#credentials;
    const url = parseServiceAddress(account.token_uri, `token_uri of ${place}`);
    const headers = { "Content-Type": "application/x-www-form-urlencoded" };
    const grant_type = "urn:ietf:params:oauth:grant-type:jwt-bearer";
    const body = new URLSearchParams({ grant_type, assertion: signAssertion(account, place) }).toString();
    const { text } = await sendRest({ method: "POST", url, headers, body, answerMs }, service);
    const answer = parseAnswer(text);
    const token = issued.safeParse(answer);
    if (!token.success) throw this.#refusal(answer);
    this.#endsAt = Date.now() + (token.data.expires_in - earlySeconds) * 1_000;
    return token.data.access_token;
  }

  #refusal(answer: unknown): AuthenticationError {
    const { data } = refused.safeParse(answer);
    const reason = data === undefined ? "its answer cannot be read" : (data.error_description ?? data.error);
    return new AuthenticationError(
      `Google refuses the login with ${this.place} (${toSentence(reason).slice(0, -1)}). Create a new key.`,
    );
  }
}

function signAssertion(
  { client_email, private_key, private_key_id, token_uri }: ServiceAccount,
  place: string,
): string {
  const now = Math.floor(Date.now() / 1_000);
  const claims = { iss: client_email, scope, aud: token_uri, iat: now, exp: now + lifetimeSeconds };
  return signToken(claims, parsePrivateKey(private_key, place), private_key_id);
}

function parseAnswer(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
