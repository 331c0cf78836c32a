import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { makeFolders } from "@bridle/core";

const yearInMilliseconds = 365 * 24 * 60 * 60 * 1000;

/**
 * Writes a fake subscription login to a Claude Code configuration folder, so that Claude Code sends `authorization: Bearer …` as with a
 * real login. The tokens are valid only in a rehearsal.
 *
 * Creates `configDir` if it is missing. Use a temporary folder, because an existing login is overwritten.
 */
export async function writeFakeLogin(configDir: string): Promise<void> {
  makeFolders(configDir);
  await writeFile(join(configDir, ".credentials.json"), JSON.stringify(fakeLogin(Date.now())), { mode: 0o600 });
}

function fakeLogin(now: number) {
  return {
    claudeAiOauth: {
      accessToken: "sk-ant-oat01-rehearsal-access",
      refreshToken: "sk-ant-ort01-rehearsal-refresh",
      expiresAt: now + yearInMilliseconds,
      scopes: ["user:inference", "user:profile"],
      subscriptionType: "max",
      rateLimitTier: "default_claude_max_5x",
    },
  };
}
