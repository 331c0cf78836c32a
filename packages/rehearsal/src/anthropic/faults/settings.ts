import type { MessagesRequest, RequestBlock } from "../request.ts";

const maxCachePoints = 4;

/** Finds a fault in the tools. Tools without `type` are the caller's own; the API defines the schemas of the others. */
export function faultInTools({ tools }: MessagesRequest): string | undefined {
  for (const [index, { name, type = "custom", input_schema: schema }] of tools.entries()) {
    if (!/^[a-zA-Z0-9_-]{1,128}$/.test(name))
      return `tools.${index}.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'`;
    if (type !== "custom") continue;
    if (schema === undefined) return `tools.${index}.custom.input_schema: Field required`;
    if (schema.type !== "object") return `tools.${index}.custom.input_schema.type: Input should be 'object'`;
  }
  const names = tools.map(({ name }) => name);
  return new Set(names).size < names.length ? "tools: Tool names must be unique." : undefined;
}

/** Finds settings that exclude each other. */
export function faultInSettings(request: MessagesRequest): string | undefined {
  const { tools, tool_choice: choice, thinking, max_tokens: limit } = request;
  if (choice !== undefined && choice.type !== "none" && tools.length === 0)
    return "tool_choice: tool_choice may only be specified while providing tools";
  if (choice?.type === "tool" && !tools.some(({ name }) => name === choice.name))
    return `tool_choice.name: Tool '${choice.name}' not found in provided tools`;
  if (thinking?.budget_tokens !== undefined && limit <= thinking.budget_tokens)
    return "`max_tokens` must be greater than `thinking.budget_tokens`";
  const points = countCachePoints(request);
  return points > maxCachePoints
    ? `A maximum of ${maxCachePoints} blocks with cache_control may be provided. Found ${points}.`
    : undefined;
}

function countCachePoints({ tools, system = [], messages }: MessagesRequest): number {
  const contents: readonly RequestBlock[] = [...system, ...messages.flatMap(({ content }) => content)];
  return [...tools, ...contents].filter((part) => part.cache_control != null).length;
}
