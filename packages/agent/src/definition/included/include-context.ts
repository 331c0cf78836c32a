import type { Environment, PathForm } from "@bridle/project";
import type { ToolKind } from "@bridle/protocol";

/** How the files that an agent's file includes are read. */
export interface IncludeContext {
  /** The folder of the agent's file. */
  readonly baseDir: string;
  /** Messages name files relative to it. */
  readonly cwd: string;
  readonly environment: Environment;
  readonly form: PathForm;
  readonly kinds: readonly ToolKind[];
  /** Whether files outside of the folder are read. */
  readonly readsOutside: boolean;
}
