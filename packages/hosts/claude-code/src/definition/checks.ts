/** The checks of `bridle doctor` that only Claude Code has. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describeSources, summarizeFindings } from "@bridle/host-shared";
import type { CheckFinding, HostCheckContext } from "@bridle/protocol";
import { claudeConfigFolder } from "../auth/account.ts";
import { findHostBinary } from "../boundary/host-binary.ts";
import { installedVersions, pinnedSdkVersion } from "../boundary/versions.ts";
import { findImplicitSources } from "../settings/implicit-sources.ts";
import type { ClaudeCodeConfig } from "./settings-form.ts";

/** Checks the installed versions. They are read from the packages; at every start, the backend checks the process itself. */
export function checkClaudeInstallation(find: typeof findHostBinary = findHostBinary): CheckFinding {
  const remedy = "Run npm install again, without --omit=optional.";
  try {
    const { sdk, claudeCode } = installedVersions();
    const versions = `Claude Code ${claudeCode}, from @anthropic-ai/claude-agent-sdk ${sdk}`;
    if (sdk !== pinnedSdkVersion) {
      const detail = `${versions}; Bridle's boundary is known to hold on ${pinnedSdkVersion} only.`;
      return { ok: false, detail, remedy: `Run npm install @anthropic-ai/claude-agent-sdk@${pinnedSdkVersion}.` };
    }
    if (find() === undefined)
      return { ok: false, detail: `${versions}; its binary for this system is missing.`, remedy };
    return { ok: true, detail: versions };
  } catch (error) {
    return { ok: false, detail: error instanceof Error ? error.message : String(error), remedy };
  }
}

/**
 * Returns a sentence if no login is stored in the file. On macOS the login is in the keychain, which only Claude Code may read. `platform`
 * is a value of `process.platform`.
 */
export function findMissingClaudeLogin(
  { auth }: Pick<ClaudeCodeConfig, "auth">,
  { environment }: Pick<HostCheckContext, "environment">,
  platform: NodeJS.Platform = process.platform,
): string | undefined {
  if (auth !== "session" || platform === "darwin") return undefined;
  const file = join(claudeConfigFolder(environment), ".credentials.json");
  return existsSync(file) ? undefined : `Claude Code is not logged in: there is no ${file}`;
}

/** Lists the settings and instructions of the machine and the project, and reports whether they are kept out of runs. */
export async function checkClaudeSources(
  { auth }: ClaudeCodeConfig,
  { projectDir, environment }: HostCheckContext,
): Promise<CheckFinding> {
  return describeSources(await findImplicitSources({ projectDir, environment, auth }));
}

/** Proves on this machine, with a rehearsed model, that only the run's input reaches the model. */
export async function proveBoundaryHere(
  _config: ClaudeCodeConfig,
  { environment, signal }: HostCheckContext,
): Promise<CheckFinding> {
  const { proveBoundary } = await import("../proof/prove.ts");
  return summarizeFindings(await proveBoundary({ environment, signal }));
}
