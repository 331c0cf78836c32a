/** The checks of `bridle doctor` that only Codex has. */
import { existsSync } from "node:fs";
import type { CheckFinding } from "@bridle/protocol";
import { installedCodex, pinnedCodexVersion } from "../boundary/codex-binary.ts";

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
