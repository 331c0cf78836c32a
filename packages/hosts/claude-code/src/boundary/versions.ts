import { readFileSync } from "node:fs";
import { BoundaryError, ConfigError } from "@bridle/protocol";
import { z } from "zod";

/** The SDK version that this package was written for. The meaning of SDK defaults has changed between releases. */
export const pinnedSdkVersion = "0.3.330";

/** The oldest allowed version. Older ones ignore `verbatimPrompts` without an error, and read `@path` in a prompt from disk. */
export const minimumHostVersion = "2.1.248";

const packageSchema = z.object({ version: z.string(), claudeCodeVersion: z.string() });

/** Returns the versions of the installed SDK and of the Claude Code in it. Throws ConfigError if the SDK is missing. */
export function installedVersions(): { sdk: string; claudeCode: string } {
  try {
    const manifest = readFileSync(
      new URL("package.json", import.meta.resolve("@anthropic-ai/claude-agent-sdk")),
      "utf8",
    );
    const { version, claudeCodeVersion } = packageSchema.parse(JSON.parse(manifest));
    return { sdk: version, claudeCode: claudeCodeVersion };
  } catch (cause) {
    throw new ConfigError("The package @anthropic-ai/claude-agent-sdk is missing or damaged. Run npm install again.", {
      cause,
    });
  }
}

/** Throws BoundaryError unless the pinned version of the SDK is installed. */
export function requirePinnedSdk({ sdk } = installedVersions()): void {
  if (sdk === pinnedSdkVersion) return;
  const difference = `@anthropic-ai/claude-agent-sdk is ${sdk}, not ${pinnedSdkVersion}`;
  throw new BoundaryError(`${difference}. The boundary is proven only for that version; install exactly it.`, [
    difference,
  ]);
}

/** Compares version numbers with dots. Missing parts count as 0. */
export function isAtLeast(version: string, minimum: string): boolean {
  const [have, need] = [version, minimum].map((text) => text.split(".").map((part) => Number.parseInt(part, 10) || 0));
  for (let index = 0; index < 3; index++) {
    const difference = (have?.[index] ?? 0) - (need?.[index] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return true;
}
