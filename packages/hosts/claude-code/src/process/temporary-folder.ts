import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createHostFolder, type HostFolder } from "@bridle/host-shared";

/** The folder of one Claude Code process. */
export interface TemporaryFolder extends HostFolder {
  /**
   * The variables that make the host use the folder, including for its caches. Without them, a host that ends soon leaves a probe file in
   * the shared folder, and the host writes a log of each MCP server to the user's cache, with our tools' errors in plain text (observed on
   * 2.1.330).
   */
  readonly variables: Readonly<Record<string, string>>;
  /**
   * A folder with a `git` that finds no repository. Claude Code starts git in the working directory of a conversation,
   * sometimes without `GIT_DIR` (observed on 2.1.330), and git runs programs that the repository's configuration names.
   */
  readonly programs: string;
}

const noGit = "#!/bin/sh\necho 'fatal: not a git repository' >&2\nexit 128\n";

/** Creates the folder. Throws ConfigError if the parent is not writable. */
export function createTemporaryFolder(parent: string): TemporaryFolder {
  const folder = createHostFolder(parent);
  const { path } = folder;
  const programs = join(path, "bin");
  mkdirSync(programs, { mode: 0o700 });
  writeFileSync(join(programs, "git"), noGit, { mode: 0o700 });
  return { ...folder, programs, variables: { CLAUDE_CODE_TMPDIR: path, XDG_CACHE_HOME: join(path, "cache") } };
}
