import type { OpenedContext } from "@bridle/context";
import type { ProjectContextOptions, ProjectIngest } from "@bridle/data";
import type { ToolServices } from "@bridle/protocol";

/** The services for an agent that belongs to a project. */
export interface ContextServices extends ToolServices {
  /** The names of the project's connections. */
  readonly connectionNames: readonly string[];
  /** Opens the context of the project. Rejects with a ConfigError. */
  openContext(options: ProjectContextOptions): Promise<OpenedContext>;
  /** Opens the project's memory on its context. */
  openIngest(context: OpenedContext, options: Pick<ProjectContextOptions, "isRehearsed">): Promise<ProjectIngest>;
  /** Whether anyone except the user of this machine can call the tools. Then the user's memory is neither shown nor written. */
  readonly isShared: boolean;
  /** Facts to remember in every project, as instructions. The user of this machine stored them. */
  rememberedForUser(): Promise<string>;
  /** The name of the agent, stored with the facts that it remembers. */
  readonly agentName: string;
}

export function hasContext(services: ToolServices | undefined): services is ContextServices {
  return services !== undefined && "openContext" in services && "connectionNames" in services;
}
