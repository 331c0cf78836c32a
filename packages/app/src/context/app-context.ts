import type { CreateRuntimeOptions, Environment, EnvironmentFile } from "@bridle/project";
import type { AgentRuntime, FolderTrust } from "@bridle/protocol";

/** The environment of use cases. It has no streams, because use cases take data and return data. */
export interface AppContext {
  /** The working directory. Relative paths start here, and the search for `bridle.yaml` goes up from here. */
  readonly cwd: string;
  readonly environment: Environment;
  /** The `.env` that was read into the environment, or why it was not; undefined if there is none. */
  readonly environmentFile?: EnvironmentFile | undefined;
  /** The version of Bridle. */
  readonly version: string;
  /** The folder of the package `bridle`, which holds the demo and the templates. */
  readonly packageRoot: string;
  /** Calls the listener with each error of a tool outside its call, until you call the returned function. */
  onFault(listener: (error: unknown) => void): () => void;
  /** Decides whether the files of a folder may take effect. */
  readonly trust: FolderTrust;
  createRuntime(options: CreateRuntimeOptions): Promise<AgentRuntime>;
}
