import { stat } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { readTextFile, readTextFileSync, sha256 } from "@bridle/core";
import { z } from "zod";
import type { ClaudeEnvironment } from "../options.ts";

const accountSchema = z.looseObject({
  oauthAccount: z.looseObject({ accountUuid: z.string().optional(), emailAddress: z.string().optional() }).optional(),
});

/**
 * Returns a hash of who is logged in; undefined if no login is known. While the host runs, it adds further facts about the account to its
 * file; these do not change the hash.
 */
export function readLoginHash(environment: ClaudeEnvironment): string | undefined {
  try {
    const { oauthAccount } = accountSchema.parse(JSON.parse(readTextFileSync(accountFile(environment))));
    const person = oauthAccount?.accountUuid ?? oauthAccount?.emailAddress;
    return person === undefined ? undefined : sha256(person).slice(0, 16);
  } catch {
    return undefined; // the file is missing or being written
  }
}

function accountFile({ CLAUDE_CONFIG_DIR, HOME }: ClaudeEnvironment): string {
  return join(CLAUDE_CONFIG_DIR || HOME || homedir(), ".claude.json");
}

/**
 * Returns a function that reads the account's email address, which the host would put into prompts. The host keeps the address in a file
 * with many other values, so the function reads the file again only after a change. The function returns undefined if no address is known
 * yet.
 */
export function createAddressReader(): (environment: ClaudeEnvironment) => Promise<string | undefined> {
  let known: { stamp: string; address: string | undefined } | undefined;
  return async (environment) => {
    const path = accountFile(environment);
    try {
      const { mtimeMs, size } = await stat(path);
      const stamp = `${path} ${mtimeMs} ${size}`;
      if (known?.stamp === stamp) return known.address;
      const { oauthAccount } = accountSchema.parse(JSON.parse(await readTextFile(path)));
      known = { stamp, address: oauthAccount?.emailAddress };
      return known.address;
    } catch {
      return undefined; // the file is missing or being written
    }
  };
}
