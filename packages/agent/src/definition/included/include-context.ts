import type { Environment, PathForm } from "@bridle/project";
import type { ToolKind } from "@bridle/protocol";

/** The settings for reading the files that an agent file includes. */
export interface IncludeContext {
  /** The folder of the agent file. */
  readonly baseDir: string;
  /** The folder that paths in messages are relative to. */
  readonly cwd: string;
  readonly environment: Environment;
  readonly form: PathForm;
  readonly kinds: readonly ToolKind[];
  /** Whether files outside of the folder are read. */
  readonly readsOutside: boolean;
}
