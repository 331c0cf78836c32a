/** Codex's own tools that a run can open: only those that ask before each call. */
import type { ConversationSpec } from "@bridle/protocol";

/** Changes files. */
export const applyPatch = "apply_patch";

/** Whether a run opens the tool that changes files. */
export function opensPatches({ builtins }: Pick<ConversationSpec, "builtins">): boolean {
  return builtins.includes(applyPatch);
}

/** The sandbox for patches. It can only change the folder, except for the files that Git and Codex keep in it. */
export function patchSandbox(folder: string) {
  return {
    type: "workspaceWrite",
    writableRoots: [folder],
    networkAccess: false,
    excludeTmpdirEnvVar: true,
    excludeSlashTmp: true,
  };
}
