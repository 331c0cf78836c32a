import type { OpenedContext } from "@bridle/context";
import type { ToolServices } from "@bridle/protocol";
import type { ProjectContextOptions } from "../../context/create-context.ts";

/** The services of an agent that belongs to a project. */
export interface ContextServices extends ToolServices {
  /** The names of the project's connections. */
  readonly connectionNames: readonly string[];
  /** Opens the context of the project. Rejects with a ConfigError. */
  openContext(options: ProjectContextOptions): Promise<OpenedContext>;
}

export function hasContext(services: ToolServices | undefined): services is ContextServices {
  return services !== undefined && "openContext" in services && "connectionNames" in services;
}
