import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { makeFolders } from "@bridle/core";
import { fakeAccount, fakeTokens } from "../openai/chatgpt-account.ts";

/**
 * Writes a fake ChatGPT login to a Codex folder, so that Codex sends `authorization: Bearer …` as with a real login. The tokens are valid
 * only in a rehearsal. Use a temporary folder, because an existing login is overwritten. Returns the file.
 */
export async function writeFakeCodexLogin(codexHome: string): Promise<string> {
  makeFolders(codexHome);
  const file = join(codexHome, "auth.json");
  await writeFile(file, `${JSON.stringify(fakeCodexLogin(Date.now()), undefined, 2)}\n`, { mode: 0o600 });
  return file;
}

function fakeCodexLogin(now: number) {
  return {
    OPENAI_API_KEY: null,
    tokens: { ...fakeTokens(now), account_id: fakeAccount },
    last_refresh: new Date(now).toISOString(),
  };
}
