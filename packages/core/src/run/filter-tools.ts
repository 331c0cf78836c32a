import { isPlainObject, type JsonSchema, type Policy } from "@bridle/protocol";
import { readResultName } from "../tools/read-result.ts";
import { normaliseToolName } from "../tools/toolbox.ts";
import type { RunPlan } from "./run-plan.ts";

/**
 * Returns the plan without the tools that the policy disables. Throws a ConfigError if a rule names a tool that is neither in the request
 * nor one of the host's own. Does not check a run without tools.
 */
export function filterTools<T>(plan: RunPlan<T>, policy: Policy, hostTools: readonly string[]): RunPlan<T> {
  const { spec, toolbox } = plan;
  const passedTools = [...spec.tools.map(({ name }) => name), ...spec.builtins];
  if (passedTools.length === 0) return plan;
  const nested = spec.tools.flatMap(({ name }) => toolbox.find(name)?.nestedTools ?? []).map(normaliseToolName);
  const knownTools = [...new Set([...passedTools, ...hostTools, ...nested, readResultName])];
  const fields = new Map(spec.tools.map(({ name, inputSchema }) => [name, fieldsIn(inputSchema)]));
  const doubts = policy.checkNames?.(knownTools, (name) => fields.get(name)) ?? [];
  const disabled = new Set(policy.disabled);
  const isOffered = (name: string) => !disabled.has(name);
  const tools = spec.tools.filter(({ name }) => isOffered(name));
  return {
    ...plan,
    notices: [...plan.notices, ...doubts.map((message) => ({ code: "rule-unmatched", message }))],
    knownTools,
    spec: { ...spec, tools, builtins: spec.builtins.filter(isOffered) },
    toolbox: { declarations: tools, find: (name) => (isOffered(name) ? toolbox.find(name) : undefined) },
  };
}

const openKeys = ["$ref", "$dynamicRef", "anyOf", "oneOf", "allOf", "if", "patternProperties", "dependentSchemas"];

/** Returns the names of the inputs that a schema lists. Undefined if the schema allows others. */
function fieldsIn(schema: JsonSchema): readonly string[] | undefined {
  const { properties = {}, additionalProperties } = schema;
  if (openKeys.some((key) => key in schema) || !isPlainObject(properties)) return undefined;
  return additionalProperties === true || isPlainObject(additionalProperties) ? undefined : Object.keys(properties);
}
