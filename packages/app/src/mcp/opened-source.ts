import type { Project } from "@bridle/project";
import type { AnyTool, Policy } from "@bridle/protocol";

/** The tools that one caller gets. */
export interface ScopedTools {
  readonly tools: readonly AnyTool[];
  readonly instructions: readonly string[];
}

/** Who calls, and what this caller may see. */
export interface ScopedCaller {
  readonly name: string;
  readonly scope?: unknown;
}

/** The tools that a server offers, opened. */
export interface OpenedSource extends ScopedTools {
  /** The project, with the variables and secrets of the agent if there is one. */
  readonly project: Project;
  /** The rules of the agent's file. */
  readonly policy: Policy | undefined;
  /**
   * Returns the tools for a caller with a scope. Missing if the tools do not support scopes. Throws ConfigError if the scope is
   * invalid.
   */
  readonly agent?: string | undefined;
  readonly warnings: readonly string[];
  /** The tools of a caller with a scope. Missing if the tools know none. Throws ConfigError for a scope that is wrong. */
  toolsFor?(caller: ScopedCaller): ScopedTools;
  close(): Promise<void>;
}
