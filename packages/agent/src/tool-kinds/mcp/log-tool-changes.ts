import { isDeepStrictEqual } from "node:util";
import { type AnyTool, isPlainObject, type Logger } from "@bridle/protocol";

/** Logs the names of tools that a server has added, removed or changed. Logs nothing without changes. */
export function logToolChanges(
  server: string,
  before: readonly AnyTool[],
  after: readonly AnyTool[],
  logger: Logger,
): void {
  const old = new Map(before.map((tool) => [tool.name, tool]));
  const added = after.filter(({ name }) => !old.has(name)).map(({ name }) => name);
  const removed = [...old.keys()].filter((name) => after.every((tool) => tool.name !== name));
  const changed = after.filter((tool) => isChanged(old.get(tool.name), tool)).map(({ name }) => name);
  if (added.length + removed.length + changed.length === 0) return;
  logger.warn(
    { server, added, removed, changed },
    "an MCP server has changed its tools; the agent keeps those that it was opened with",
  );
}

function isChanged(before: AnyTool | undefined, after: AnyTool): boolean {
  return before !== undefined && !isDeepStrictEqual(declarationOf(before), declarationOf(after));
}

/** Returns the parts of a tool that the model or the rules use. */
function declarationOf({ description, annotations, input }: AnyTool): unknown {
  return {
    description,
    annotations,
    schema: isPlainObject(input) && "jsonSchema" in input ? input.jsonSchema : undefined,
  };
}
