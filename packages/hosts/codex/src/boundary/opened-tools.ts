/** Codex's own tools that a run can open: only those that ask before each call. */
import type { ConversationSpec } from "@bridle/protocol";

/** Changes files. */
export const applyPatch = "apply_patch";

/** The name of the variable that hides repositories from Git. */
const gitFolder = "GIT_DIR";

/** Whether a run opens the tool that changes files. */
export function opensPatches({ builtins }: Pick<ConversationSpec, "builtins">): boolean {
  return builtins.includes(applyPatch);
}

/** The sandbox in which patches are applied: it can change the folder, but nothing else and not what Git and Codex keep in it. */
export function patchSandbox(folder: string) {
  return {
    type: "workspaceWrite",
    writableRoots: [folder],
    networkAccess: false,
    excludeTmpdirEnvVar: true,
    excludeSlashTmp: true,
  };
}

/**
 * Variables for a process that works in the user's folder. Otherwise Codex starts Git there, and sends the addresses of
 * remotes, the newest commit and the folder's path with each request (observed on 0.169.0).
 */
export function variablesForPatches(noPrograms: string): Record<string, string> {
  return { [gitFolder]: noPrograms, ...(process.platform === "win32" ? {} : { PATH: noPrograms }) };
}
