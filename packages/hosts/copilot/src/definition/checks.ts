/** The checks of `bridle doctor` that only Copilot has. */
import type { CheckFinding } from "@bridle/protocol";
import { findRuntime, installedSdkVersion, requirePinnedSdk, sdkName } from "../boundary/versions.ts";

export function checkCopilotInstallation(): CheckFinding {
  try {
    requirePinnedSdk();
    findRuntime();
    return { ok: true, detail: `${sdkName} ${installedSdkVersion()}, with its runtime for this system` };
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    return { ok: false, detail, remedy: `Run npm install ${sdkName}, without --omit=optional.` };
  }
}
