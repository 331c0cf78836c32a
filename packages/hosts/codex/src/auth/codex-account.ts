import { hostname } from "node:os";
import { readTextFileSync, sha256 } from "@bridle/core";
import type { HostEnvironment } from "@bridle/protocol";
import { z } from "zod";
import { userKeyVariable } from "../environment/user-key.ts";
import { codexConfigFolder, loginFileOf } from "../home/private-home.ts";
import type { ResolvedCodexOptions } from "../options.ts";

const loginSchema = z.looseObject({
  OPENAI_API_KEY: z.string().nullish(),
  tokens: z.looseObject({ account_id: z.string().nullish() }).nullish(),
});

/**
 * Identifies the account that pays. For a login, this is the folder that stores it, with a hash of the ChatGPT account, or if that is
 * unknown, the machine's name. For a key, this is a hash of the key and of the address that it is sent to.
 */
export function codexAccount({ auth, environment, baseUrl = "" }: ResolvedCodexOptions): string {
  if (auth === "session") {
    return `codex session ${codexConfigFolder(environment)} ${readAccountHash(environment) ?? hostname()}`;
  }
  return `codex api_key ${shortHash(`${environment[userKeyVariable] ?? ""}\n${baseUrl}`)}`;
}

/** Whether a ChatGPT plan pays, so that costs are estimates. A stored login may also be an API key (`login --with-api-key`). */
export function hasPlan({ auth, environment }: ResolvedCodexOptions): boolean {
  const login = auth === "session" ? readLogin(environment) : undefined;
  return auth === "session" && (login === undefined || Boolean(login.tokens));
}

function readAccountHash(environment: HostEnvironment): string | undefined {
  const login = readLogin(environment);
  const payer = login?.tokens?.account_id ?? login?.OPENAI_API_KEY;
  return payer ? shortHash(payer) : undefined;
}

function readLogin(environment: HostEnvironment): z.infer<typeof loginSchema> | undefined {
  try {
    return loginSchema.parse(JSON.parse(readTextFileSync(loginFileOf(environment))));
  } catch {
    return undefined; // the file is missing or being written
  }
}

function shortHash(text: string): string {
  return sha256(text).slice(0, 16);
}
