/** The checks of `bridle doctor` that only Claude Code has. */
import { describeSources, summarizeFindings } from "@bridle/host-shared";
import type { CheckFinding, HostCheckContext } from "@bridle/protocol";
import { findHostBinary } from "../boundary/host-binary.ts";
import { installedVersions, pinnedSdkVersion } from "../boundary/versions.ts";
import { findImplicitSources } from "../settings/implicit-sources.ts";
import type { ClaudeCodeConfig } from "./settings-form.ts";

/** The versions are read from the packages; the boundary checks the process itself at every start. */
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

/** What the machine and the project bring along, and whether the boundary keeps it out. */
export async function checkClaudeSources(
  { auth }: ClaudeCodeConfig,
  { projectDir, environment }: HostCheckContext,
): Promise<CheckFinding> {
  return describeSources(await findImplicitSources({ projectDir, environment, auth }));
}

/** Proves on this machine, with a rehearsed model, that nothing reaches the model but what was passed to the run. */
export async function proveBoundaryHere(
  _config: ClaudeCodeConfig,
  { environment, signal }: HostCheckContext,
): Promise<CheckFinding> {
  const { proveBoundary } = await import("../proof/prove.ts");
  return summarizeFindings(await proveBoundary({ environment, signal }));
}
