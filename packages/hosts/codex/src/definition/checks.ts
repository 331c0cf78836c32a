/** The checks of `bridle doctor` that only Codex has. */
import { existsSync } from "node:fs";
import { describeSources, summarizeFindings } from "@bridle/host-shared";
import type { CheckFinding, HostCheckContext } from "@bridle/protocol";
import { installedCodex, pinnedCodexVersion } from "../boundary/codex-binary.ts";
import { loginFileOf } from "../home/private-home.ts";
import { findCodexSources } from "../settings/codex-sources.ts";
import type { CodexConfig } from "./settings-form.ts";

export function checkCodexInstallation(find: typeof installedCodex = installedCodex): CheckFinding {
  const remedy = `Run npm install @openai/codex@${pinnedCodexVersion}.`;
  try {
    const { version, binary } = find();
    const detail = `Codex ${version}, from @openai/codex`;
    if (version !== pinnedCodexVersion)
      return {
        ok: false,
        detail: `${detail}; Bridle's boundary is known to hold on ${pinnedCodexVersion} only.`,
        remedy,
      };
    if (!existsSync(binary)) return { ok: false, detail: `${detail}; its binary for this system is missing.`, remedy };
    return { ok: true, detail };
  } catch (error) {
    return { ok: false, detail: error instanceof Error ? error.message : String(error), remedy };
  }
}

/** Returns a sentence if no login is stored in the file. Bridle uses no login in a keyring. */
export function findMissingCodexLogin(
  { auth }: Pick<CodexConfig, "auth">,
  { environment }: Pick<HostCheckContext, "environment">,
): string | undefined {
  const file = loginFileOf(environment);
  return auth !== "session" || existsSync(file) ? undefined : `Codex is not logged in: there is no ${file}`;
}

/** Lists the settings and instructions of the machine and the project, and reports whether they are kept out of runs. */
export async function checkCodexSources(
  { auth }: CodexConfig,
  { projectDir, environment }: HostCheckContext,
): Promise<CheckFinding> {
  return describeSources(await findCodexSources({ projectDir, environment, auth }));
}

/** Proves on this machine, with a rehearsed model, that only the run's input reaches the model. */
export async function proveCodexBoundaryHere(
  _config: CodexConfig,
  { environment, signal }: HostCheckContext,
): Promise<CheckFinding> {
  const { proveCodexBoundary } = await import("../proof/prove.ts");
  return summarizeFindings(await proveCodexBoundary({ environment, signal }));
}
