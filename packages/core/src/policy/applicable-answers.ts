/** Finds the remembered answers that apply to the tool of a call, and explains changes that make an answer inapplicable. */
import {
  canonicalJson,
  type PolicyCall,
  type RememberedAnswer,
  type ToolDeclaration,
  type ToolIdentity,
} from "@bridle/protocol";
import { createInputMatcher } from "../approvals/input-matcher.ts";
import { sha256 } from "../system/hash.ts";

/** A call, and the identity of the tool with that name. */
export interface IdentifiedCall extends PolicyCall {
  readonly identity: ToolIdentity;
}

/** Returns the identity of a tool that was passed to a run. */
export function identifyTool(
  { description, inputSchema, annotations }: Omit<ToolDeclaration, "name">,
  source = "the program",
): ToolIdentity {
  const definition = canonicalJson({ description, inputSchema, annotations });
  return { source, definitionHash: sha256(definition), definition };
}

/**
 * Lists the answers that apply to the tool of a call. A permission applies only to the exact tool that the user saw, with the same source
 * and definition. A denial applies to the name, so that a changed tool stays denied; only a denial for all projects is limited to the
 * source.
 */
export function applicableAnswers(
  answers: readonly RememberedAnswer[],
  { tool, identity }: Pick<IdentifiedCall, "tool" | "identity">,
): RememberedAnswer[] {
  return answers.filter((answer) => {
    if (answer.tool !== tool) return false;
    if (answer.decision === "allow") return isSameTool(answer.identity, identity);
    return answer.scope !== "always" || (answer.identity?.source ?? identity.source) === identity.source;
  });
}

/** Whether both are the same tool: same source, same definition. */
export function isSameTool(known: ToolIdentity | undefined, { source, definitionHash }: ToolIdentity): boolean {
  return known !== undefined && known.source === source && known.definitionHash === definitionHash;
}

/**
 * Explains to the user why the newest answer that would allow a call does not apply. Returns undefined if there is no such answer. Ignores
 * answers for all projects about a tool from another source.
 */
export function explainChangedTool(
  answers: readonly RememberedAnswer[],
  { tool, input, identity }: Pick<IdentifiedCall, "tool" | "input" | "identity">,
): string | undefined {
  const changed = answers.findLast(
    (answer) =>
      answer.decision === "allow" &&
      answer.tool === tool &&
      !isSameTool(answer.identity, identity) &&
      (answer.scope !== "always" || answer.identity?.source === identity.source) &&
      mayMatch(answer, input),
  );
  if (changed === undefined) return undefined;
  const allowed = `${changed.by} allowed ${tool} on ${changed.at.slice(0, 10)}`;
  if (changed.identity === undefined) return `${allowed}, but it is not known which tool had this name then.`;
  return `${allowed}, but the tool has changed since. ${describeDifference(changed.identity, identity)}`;
}

/** Whether an answer's condition may fit the input. A condition that cannot be checked explains nothing, so it counts as no match. */
function mayMatch({ when }: RememberedAnswer, input: unknown): boolean {
  try {
    return createInputMatcher(when)(input) !== "none";
  } catch {
    return false;
  }
}

/** The maximum number of characters that a difference shows of one value. */
const maxValueLength = 600;

function describeDifference(before: ToolIdentity, after: ToolIdentity): string {
  const source = before.source === after.source ? [] : [changeOf("source", before.source, after.source)];
  if (before.definition === undefined || after.definition === undefined) return source.join(" ");
  const [was, is] = [readDefinition(before.definition), readDefinition(after.definition)];
  const names = [...new Set([...Object.keys(was), ...Object.keys(is)])].sort();
  const parts = names.filter((name) => was[name] !== is[name]).map((name) => changeOf(name, was[name], is[name]));
  return [...source, ...parts].join(" ");
}

function changeOf(name: string, before: string | undefined, after: string | undefined): string {
  const [was = "nothing", is = "nothing"] = [before, after].map((text) => text && JSON.stringify(shorten(text)));
  return `The ${name} was ${was}, and is ${is} now.`;
}

function shorten(text: string): string {
  return text.length <= maxValueLength ? text : `${text.slice(0, maxValueLength)}… (${text.length} characters)`;
}

/** Splits a definition into texts, with one for each property of the schema, so that a difference contains only the changes. */
function readDefinition(definition: string): Record<string, string> {
  const { description, inputSchema, annotations } = parse(definition);
  const { properties, ...rest } = toRecord(inputSchema);
  const fields = Object.entries(toRecord(properties)).map(([name, schema]) => [`field ${name}`, canonicalJson(schema)]);
  return {
    description: String(description ?? ""),
    ...(Object.keys(toRecord(annotations)).length > 0 && { annotations: canonicalJson(annotations) }),
    ...(Object.keys(rest).length > 0 && { schema: canonicalJson(rest) }),
    ...Object.fromEntries(fields),
  };
}

function parse(definition: string): Record<string, unknown> {
  try {
    return toRecord(JSON.parse(definition));
  } catch {
    return { description: definition };
  }
}

function toRecord(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}
