import { type AnyTool, resolveAnnotations, type ToolAnnotations } from "@bridle/protocol";
import type { CallableAgent } from "./callable-agent.ts";

/**
 * Returns the annotations of an agent as a tool, derived from the tools that its model can call: the agent is read-only if all of them are,
 * and may destroy data or reach other systems if one of them may. An agent without tools is read-only.
 */
export function agentAnnotations(agent: Pick<CallableAgent, "tools" | "request" | "runtime">): ToolAnnotations {
  const all = [...offeredTools(agent).map(({ annotations }) => annotations), ...builtinAnnotations(agent)].map((each) =>
    resolveAnnotations(each),
  );
  const readOnly = all.every((each) => each.readOnly);
  return {
    readOnly,
    destructive: all.some((each) => each.destructive),
    idempotent: readOnly,
    openWorld: all.some((each) => each.openWorld),
  };
}

/** Returns the names of all tools that runs of an agent can call, including those of the agents that it calls. */
export function reachableTools(agent: Pick<CallableAgent, "tools" | "request">): readonly string[] {
  const { builtins = [] } = agent.request;
  const own = offeredTools(agent).flatMap(({ name, nestedTools = [] }) => [name, ...nestedTools]);
  return [...new Set([...own, ...builtins])];
}

function offeredTools({ tools, request }: Pick<CallableAgent, "tools" | "request">): readonly AnyTool[] {
  const disabled = new Set(request.policy?.disabled);
  return tools.filter(({ name }) => !disabled.has(name));
}

function builtinAnnotations({ request, runtime }: Pick<CallableAgent, "request" | "runtime">): ToolAnnotations[] {
  const known = runtime.capabilities.features.builtins;
  return (request.builtins ?? []).map((name) => known[name] ?? {});
}
