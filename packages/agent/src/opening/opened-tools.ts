import type { Environment, LoadModuleOptions } from "@bridle/project";
import type { AnyTool, Logger } from "@bridle/protocol";

/** The tools that one entry of an agent's `tools` gives. */
export interface OpenedTools {
  readonly tools: readonly AnyTool[];
  /** Instructions that the model needs to know of them, if any: they follow the agent's own. */
  readonly instructions?: string;
  /** Lets go of what they use: processes, connections, files. Never rejects. */
  close(): Promise<void>;
}

/** What every kind of tool may need to be opened. */
export interface Surroundings {
  /** The folder of the agent's file: paths are from here on. */
  readonly baseDir: string;
  readonly projectDir: string;
  /** Where the project's state is kept, such as `.bridle`. */
  readonly stateDir: string;
  readonly environment: Environment;
  readonly logger: Logger;
  /** Aborted when opening is given up. */
  readonly signal?: AbortSignal;
  /** What watches over the modules of function tools while they are loaded. */
  readonly loading?: LoadModuleOptions;
}
