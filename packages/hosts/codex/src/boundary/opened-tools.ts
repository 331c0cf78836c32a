/** Codex's own tools that a run can open: only those for which Codex asks before each call. */
import type { ConversationSpec } from "@bridle/protocol";

/** The tool that changes files. */
export const applyPatch = "apply_patch";

/** Whether a run opens the tool that changes files. */
export function opensPatches({ builtins }: Pick<ConversationSpec, "builtins">): boolean {
  return builtins.includes(applyPatch);
}

/** Returns the sandbox for patches. It can only change the folder, without the files that Git and Codex keep there. */
export function patchSandbox(folder: string) {
  return {
    type: "workspaceWrite",
    writableRoots: [folder],
    networkAccess: false,
    excludeTmpdirEnvVar: true,
    excludeSlashTmp: true,
  };
}
