import type { Project } from "@bridle/project";
import type { AnyTool, Policy } from "@bridle/protocol";

/** The tools that one caller gets. */
export interface ScopedTools {
  readonly tools: readonly AnyTool[];
  readonly instructions: readonly string[];
}

/** The caller, and what the caller may see. */
export interface ScopedCaller {
  readonly name: string;
  readonly scope?: unknown;
}

/** The opened tools that a server offers. */
export interface OpenedSource extends ScopedTools {
  /** The project, with the variables and secrets of the agent if there is one. */
  readonly project: Project;
  /** The rules of the agent file. */
  readonly policy: Policy | undefined;
  /** The name of the agent that the tools belong to, because the project's rules can be limited to some agents. */
  readonly agent?: string | undefined;
  readonly warnings: readonly string[];
  /**
   * Returns the tools for a caller with a scope. Missing if the tools do not support scopes. Throws ConfigError if the scope is
   * invalid.
   */
  toolsFor?(caller: ScopedCaller): ScopedTools;
  close(): Promise<void>;
}
