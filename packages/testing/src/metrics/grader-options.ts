import { resolve } from "node:path";
import type { Environment, LoadModuleOptions } from "@bridle/project";
import type { GraderSource, TrustedFolder } from "@bridle/protocol";

export interface GraderOptions {
  /** The folder of the agent file. */
  readonly folder: string;
  /** The proof that graders in the folder may run. */
  readonly trusted: TrustedFolder;
  /** Watches the module while it is loaded. */
  readonly loading?: LoadModuleOptions | undefined;
  /** The variables from which a Python grader's process gets those that it needs to start. */
  readonly environment?: Environment | undefined;
  /** How long a grader may take, in milliseconds. Default: 60,000. */
  readonly graderTimeoutMs?: number | undefined;
}

/** Returns the proof for one grader. It is checked again when the grader starts, because the agent has run since the decision. */
export function proofOfGrader({ file }: GraderSource, { folder, trusted }: GraderOptions): TrustedFolder {
  const path = resolve(folder, file);
  return trusted.only(({ loaded }) => loaded?.files.some((each) => each.path === path) === true);
}
