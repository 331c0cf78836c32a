import type { AnyTool } from "@bridle/protocol";

/** What a server of the Model Context Protocol offers. */
export interface McpServerOptions {
  readonly name: string;
  readonly version: string;
  readonly instructions?: string | undefined;
  readonly tools: readonly AnyTool[];
}
