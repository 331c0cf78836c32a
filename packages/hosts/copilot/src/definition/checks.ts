/** The checks of `bridle doctor` that only Copilot has. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { summarizeFindings } from "@bridle/host-shared";
import type { CheckFinding, HostCheckContext } from "@bridle/protocol";
import { findRuntime, installedSdkVersion, requirePinnedCopilotSdk, sdkName } from "../boundary/versions.ts";
import type { CopilotConfig } from "./settings-form.ts";

export function checkCopilotInstallation(): CheckFinding {
  try {
    requirePinnedCopilotSdk();
    findRuntime();
    return { ok: true, detail: `${sdkName} ${installedSdkVersion()}, with its runtime for this system` };
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    return { ok: false, detail, remedy: `Run npm install ${sdkName}, without --omit=optional.` };
  }
}

/** Proves on this machine, with a rehearsed model, that only the run's input reaches the model. */
export async function proveCopilotBoundary(
  _config: CopilotConfig,
  { projectDir, environment, signal }: HostCheckContext,
): Promise<CheckFinding> {
  const { collectEvidence, judgeEvidence } = await import("../proof/prove.ts");
  const folder = await mkdtemp(join(tmpdir(), "bridle-proof-"));
  try {
    const effectFile = join(folder, "effect");
    return summarizeFindings(judgeEvidence(await collectEvidence({ projectDir, environment, signal, effectFile })));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
