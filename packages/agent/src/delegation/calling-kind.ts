import type { ToolKind, ToolKindContext } from "@bridle/protocol";
import type { z } from "zod";

/** A tool kind that starts runs with their own tools. */
export interface CallingKind<Schema extends z.ZodObject = z.ZodObject> extends ToolKind<Schema> {
  /**
   * Lists the tools that a run started by the entry can call, so that the caller's rules can name them. Undefined if the files do not show
   * them.
   *
   * @throws ConfigError if a file cannot be used.
   */
  nestedNames(
    config: z.output<Schema>,
    context: Pick<ToolKindContext, "services">,
  ): Promise<readonly string[] | undefined>;
}

export function startsRuns(kind: ToolKind): kind is CallingKind {
  return "nestedNames" in kind;
}
