import { isDeepStrictEqual } from "node:util";
import { type AnyTool, isPlainObject, type Logger } from "@bridle/protocol";

/** Logs by name what a server has added to its tools, taken away and changed; nothing where all is as it was. */
export function tellChanges(
  server: string,
  before: readonly AnyTool[],
  after: readonly AnyTool[],
  logger: Logger,
): void {
  const old = new Map(before.map((tool) => [tool.name, tool]));
  const added = after.filter(({ name }) => !old.has(name)).map(({ name }) => name);
  const removed = [...old.keys()].filter((name) => after.every((tool) => tool.name !== name));
  const changed = after.filter((tool) => isOther(old.get(tool.name), tool)).map(({ name }) => name);
  if (added.length + removed.length + changed.length === 0) return;
  logger.warn(
    { server, added, removed, changed },
    "an MCP server has changed its tools; the agent keeps those that it was opened with",
  );
}

function isOther(before: AnyTool | undefined, after: AnyTool): boolean {
  return before !== undefined && !isDeepStrictEqual(shown(before), shown(after));
}

/** What the model is shown of a tool, and what is known of it. */
function shown({ description, annotations, input }: AnyTool): unknown {
  return {
    description,
    annotations,
    schema: isPlainObject(input) && "jsonSchema" in input ? input.jsonSchema : undefined,
  };
}
