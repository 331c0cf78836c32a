import { opensPatches } from "../boundary/opened-tools.ts";
import type { PrivateHome } from "../home/private-home.ts";

/**
 * Returns environment variables with which a process finds no programs. Without these variables, Codex starts two programs (observed on
 * 0.169.0):
 *
 * - `lsb_release`, on Linux, twice before its first answer, for the header `user-agent`.
 * - Git, in the user's folder, if patches are open. Codex then sends the addresses of remotes, the newest commit and the folder's path with
 *   each request. If Git is started nevertheless, `GIT_DIR` hides the repository.
 *
 * On Windows, the search path stays unchanged, because it also contains the folders of libraries.
 */
export function withoutPrograms(
  variables: Readonly<Record<string, string>>,
  opened: readonly string[],
  { noPrograms }: Pick<PrivateHome, "noPrograms">,
  platform: string = process.platform,
): Readonly<Record<string, string>> {
  const hasPatches = opensPatches({ builtins: opened });
  const closesPath = platform === "linux" || (hasPatches && platform !== "win32");
  return {
    ...variables,
    ...(closesPath && { PATH: noPrograms }),
    ...(hasPatches && { GIT_DIR: noPrograms }),
  };
}
