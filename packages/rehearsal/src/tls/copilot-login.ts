import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { makeFolders } from "@bridle/core";
import { fakeGitHubHost as host, fakeGitHubName as login, fakeGitHubToken as token } from "../copilot/account.ts";

/**
 * Writes a fake GitHub login to a Copilot folder, in the format that the `copilot` command uses without a keyring. The token is valid only
 * in a rehearsal. Use a temporary folder, because an existing login is overwritten. Returns the file.
 */
export async function writeFakeCopilotLogin(copilotHome: string): Promise<string> {
  makeFolders(copilotHome);
  const file = join(copilotHome, "config.json");
  const account = { host, login };
  const stored = {
    lastLoggedInUser: account,
    loggedInUsers: [account],
    authTokens: { [`${host}:${login}`]: { token } },
  };
  const comments = "// User settings belong in settings.json.\n// This file is managed automatically.\n";
  await writeFile(file, `${comments}${JSON.stringify(stored, undefined, 2)}\n`, { mode: 0o600 });
  return file;
}
