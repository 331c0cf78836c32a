import type { OpenedContext } from "@bridle/context";
import type { ProjectContextOptions, ProjectIngest } from "@bridle/data";
import type { ToolServices } from "@bridle/protocol";

/** The services of an agent that belongs to a project. */
export interface ContextServices extends ToolServices {
  /** The names of the project's connections. */
  readonly connectionNames: readonly string[];
  /** Opens the context of the project. Rejects with a ConfigError. */
  openContext(options: ProjectContextOptions): Promise<OpenedContext>;
  /** Opens ingest of the project on its context, for its memory. */
  openIngest(context: OpenedContext, options: Pick<ProjectContextOptions, "isRehearsed">): Promise<ProjectIngest>;
  /** Whether others than the user of this machine call the tools. Then the user's memory is neither shown nor written. */
  readonly isShared: boolean;
  /** Facts to remember in every project, as instructions. The user of this machine chose them. */
  rememberedForUser(): Promise<string>;
  /** The name of the agent, stored with the facts that it remembers. */
  readonly agentName: string;
}

export function hasContext(services: ToolServices | undefined): services is ContextServices {
  return services !== undefined && "openContext" in services && "connectionNames" in services;
}
