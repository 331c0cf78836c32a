import type { CreateRuntimeOptions, Environment, EnvironmentFile } from "@bridle/project";
import type { AgentRuntime, FolderTrust } from "@bridle/protocol";

/** The environment of use cases. It has no streams, because use cases take data and return data. */
export interface AppContext {
  /** The working directory. Relative paths are resolved against it, and `bridle.yaml` is searched in it and the folders above. */
  readonly cwd: string;
  readonly environment: Environment;
  /** The `.env` file that was read into the environment, or the reason why it was not read; undefined if there is none. */
  readonly environmentFile?: EnvironmentFile | undefined;
  /** The version of Bridle. */
  readonly version: string;
  /** The folder of the `bridle` package, with the demo and the templates. */
  readonly packageRoot: string;
  /** Calls the listener with each error that a tool throws outside of its call, until you call the returned function. */
  onFault(listener: (error: unknown) => void): () => void;
  /** Decides whether the files of a folder may be used. */
  readonly trust: FolderTrust;
  createRuntime(options: CreateRuntimeOptions): Promise<AgentRuntime>;
}
