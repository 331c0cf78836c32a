import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

const yearInMilliseconds = 365 * 24 * 60 * 60 * 1000;

/**
 * Writes a made-up subscription login into a configuration folder of Claude Code, such that it sends
 * `authorization: Bearer …` as it would on a real one. The tokens are good for nothing but a rehearsal.
 *
 * `configDir` is made when missing and must be a temporary one: the login in it is overwritten.
 */
export async function writeMadeUpLogin(configDir: string): Promise<void> {
  await mkdir(configDir, { recursive: true });
  await writeFile(join(configDir, ".credentials.json"), JSON.stringify(madeUpLogin(Date.now())), { mode: 0o600 });
}

function madeUpLogin(now: number) {
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
