/**
 * Rules as data, and their decision about a call. The first of these that applies decides: a disabled tool, a denial, the mode, a
 * remembered answer, the tool's own rule, its annotations, the default.
 */
import {
  ConfigError,
  canonicalJson,
  checkAgainst,
  type FieldsOf,
  type InputPattern,
  omitUndefined,
  type Policy,
  type PolicyCall,
  type PolicyDecision,
  type RememberedAnswer,
  type SourcePosition,
  suggestion,
} from "@bridle/protocol";
import { createInputMatcher, type InputMatch } from "../approvals/input-matcher.ts";
import { sha256 } from "../system/hash.ts";
import { type PolicyMode, type PolicyModeName, resolveMode } from "./policy-modes.ts";
import { policyRulesSchema } from "./policy-schema.ts";

export type Decision = PolicyDecision["decision"];

/** A rule for one tool. The first rule that matches the call applies. */
export interface ToolRule {
  /** The tool's name, as the model uses it. */
  tool: string;
  /** Limits the rule to some inputs. Default: all inputs. */
  when?: InputPattern;
  /** Limits the rule to the runs of these agents. Only rules of a project can have `agents`. Default: all runs. */
  agents?: readonly string[];
  then: Decision;
}

/** The runs that a project's rules are read for, and the names that the rules may contain besides those of the run. */
export interface PolicyScope {
  /** The name of the agent. Missing for runs without an agent file. */
  readonly agent?: string | undefined;
  /** The names of all agents of the project. */
  readonly agents: readonly string[];
  /** The tools of the other agents. A rule about such a tool matches nothing in these runs. */
  readonly tools: readonly string[];
  /** Whether other agents have tools that are not named in their files, such as those of an MCP server. */
  readonly hasUnknownTools: boolean;
}

/** The decision for each annotation. If a tool has several annotations, the strictest decision applies. */
export interface AnnotationRules {
  readOnly: Decision;
  destructive: Decision;
  openWorld: Decision;
}

export interface PolicyRules {
  /** Default `normal`. */
  mode?: PolicyModeName;
  /** Whether the user is not asked: then `ask` becomes `deny`. */
  unattended?: boolean;
  /** Tools that the model does not see. */
  disable?: readonly string[];
  rules?: readonly ToolRule[];
  /** Replaces the defaults `readOnly: allow`, `destructive: ask`, `openWorld: ask`. */
  annotations?: Partial<AnnotationRules>;
  /** Positions of rules in a file, by path such as `rules.0.tool`, for errors. */
  positions?: Readonly<Record<string, SourcePosition>>;
}

const defaultAnnotations: AnnotationRules = { readOnly: "allow", destructive: "ask", openWorld: "ask" };
const strictestFirst: readonly Decision[] = ["deny", "ask", "allow"];

const modeReason = "Only tools that change nothing may run now. Say what you would do instead of doing it.";

interface NamedRule {
  readonly name: string;
  readonly then: Decision;
}

interface Rulebook {
  readonly mode: PolicyMode;
  readonly disable: readonly string[];
  readonly annotations: AnnotationRules;
  /** Returns the rule that applies to a call. */
  ruleOf(call: PolicyCall): NamedRule | undefined;
}

/**
 * Creates a policy from rules. Throws ConfigError for an unknown key or value, and for a pattern that is not a regular expression;
 * `checkNames` throws ConfigError for a rule about an unknown tool. The error suggests the nearest known name.
 *
 * @example
 * createPolicy({ mode: "normal", rules: [{ tool: "run_sql", when: { statement: "^select" }, then: "allow" }] })
 */
export function createPolicy(given: PolicyRules = {}, scope?: PolicyScope): Policy {
  checkAgainst("createPolicy", policyRulesSchema, given);
  const { disable = [], rules = [], positions = {} } = given;
  const { mode, unattended: neverAsks } = resolveMode(given.mode ?? "normal");
  const unattended = neverAsks || (given.unattended ?? false);
  const annotations = { ...defaultAnnotations, ...omitUndefined(given.annotations ?? {}) };
  requireScope(rules, scope);
  const isScoped = rules.some(({ agents }) => agents !== undefined);
  const isOfRun = ({ agents }: ToolRule) =>
    agents === undefined || (scope?.agent !== undefined && agents.includes(scope.agent));
  const book: Rulebook = { mode, disable, annotations, ruleOf: createRuleFinder(rules, isOfRun) };
  const snapshot = canonicalJson({ mode, unattended, disable, rules, annotations });
  return {
    id: sha256(isScoped ? `${snapshot} ${scope?.agent ?? ""}` : snapshot),
    snapshot,
    disabled: disable,
    evaluate(call, remembered) {
      const decision = decide(book, call, remembered);
      return unattended && decision.decision === "ask" ? withoutAsking(decision) : decision;
    },
    checkNames(known, fieldsOf) {
      const agents = rules.flatMap((rule, index) => doubtfulAgents(rule, index, scope, positions));
      const tools = namesIn(disable, rules, isOfRun).flatMap(([field, name]) =>
        doubtfulTool(name, known, field, { scope, position: positions[field] }),
      );
      return [
        ...agents,
        ...tools,
        ...rules.flatMap((rule, index) => (isOfRun(rule) ? doubtfulFields(rule, index, fieldsOf) : [])),
      ];
    },
  };
}

/** Returns the strictest decision, or the first of several that are equally strict. If one of them asks every time, so does the result. */
export function strictestDecision(decisions: readonly [PolicyDecision, ...PolicyDecision[]]): PolicyDecision {
  const [first] = decisions;
  const found =
    strictestFirst.flatMap((wanted) => decisions.find(({ decision }) => decision === wanted) ?? [])[0] ?? first;
  const everyTime = decisions.some((each) => each.decision === found.decision && each.everyTime);
  return everyTime ? { ...found, everyTime } : found;
}

/** Replaces a question with a denial, because nobody can answer. The model gets the reason. */
export function withoutAsking({ rule }: PolicyDecision): PolicyDecision {
  const reason =
    "It needs a person's consent, and nobody can be asked in this run. Do not repeat it; continue without it, or say what you would need it for.";
  return { decision: "deny", rule, reason };
}

function decide(book: Rulebook, call: PolicyCall, remembered: readonly RememberedAnswer[]): PolicyDecision {
  const disabled = byDisabling(book, call);
  if (disabled) return disabled;
  const answers = remembered.filter((answer) => answer.tool === call.tool && appliesTo(answer, call));
  const rule = book.ruleOf(call);
  return (
    byDenial(rule, answers) ??
    byDenyingAnnotation(book, call) ??
    byMode(book, call, rule) ??
    byAnswer(answers, "allow") ??
    byOwnRule(rule) ??
    byAnnotations(book, call) ?? { decision: "ask", rule: "default" }
  );
}

/**
 * Whether an answer applies to a call. A denial applies to an input that may match, a permission only to an input that certainly matches.
 */
function appliesTo({ when, decision }: RememberedAnswer, { input }: PolicyCall): boolean {
  const match = createInputMatcher(when)(input);
  return decision === "allow" ? match === "certain" : match !== "none";
}

/** Finds a remembered answer of this kind that applies to a call, and returns its decision. */
export function findAnswer(
  remembered: readonly RememberedAnswer[],
  call: PolicyCall,
  wanted: RememberedAnswer["decision"],
): PolicyDecision | undefined {
  const answers = remembered.filter((answer) => answer.tool === call.tool && appliesTo(answer, call));
  return byAnswer(answers, wanted);
}

function byDisabling({ disable }: Rulebook, { tool }: PolicyCall): PolicyDecision | undefined {
  return disable.includes(tool) ? { decision: "deny", rule: "disable" } : undefined;
}

/** Returns the denial by a rule or an answer, if any. A denial applies in every mode, regardless of other remembered answers. */
function byDenial(rule: NamedRule | undefined, answers: readonly RememberedAnswer[]): PolicyDecision | undefined {
  return rule?.then === "deny" ? { decision: "deny", rule: rule.name } : byAnswer(answers, "deny");
}

function byMode(
  { mode }: Rulebook,
  { annotations }: PolicyCall,
  own: NamedRule | undefined,
): PolicyDecision | undefined {
  const rule = `mode:${mode}`;
  switch (mode) {
    case "read-only":
      return annotations.readOnly ? undefined : { decision: "deny", rule, reason: modeReason };
    case "ask":
      return { decision: "ask", rule, everyTime: true };
    case "auto":
      return annotations.destructive || own?.then === "ask" ? undefined : { decision: "allow", rule };
    case "yolo":
      return { decision: "allow", rule };
    case "normal":
      return undefined;
  }
}

function byAnswer(
  answers: readonly RememberedAnswer[],
  wanted: RememberedAnswer["decision"],
): PolicyDecision | undefined {
  const answer = answers.find(({ decision }) => decision === wanted);
  return answer && { decision: wanted, rule: `remembered:${answer.scope}` };
}

function byOwnRule(rule: NamedRule | undefined): PolicyDecision | undefined {
  return rule && { decision: rule.then, rule: rule.name };
}

/** Returns the denial by an annotation, if any. Only a user can set `deny` for an annotation, so it counts like a rule's denial. */
function byDenyingAnnotation(book: Rulebook, call: PolicyCall): PolicyDecision | undefined {
  const decision = byAnnotations(book, call);
  return decision?.decision === "deny" ? decision : undefined;
}

function byAnnotations(book: Rulebook, { annotations }: PolicyCall): PolicyDecision | undefined {
  const names = (["readOnly", "destructive", "openWorld"] as const).filter((name) => annotations[name]);
  for (const decision of strictestFirst) {
    const name = names.find((each) => book.annotations[each] === decision);
    if (name !== undefined) return { decision, rule: `annotation:${name}` };
  }
  return undefined;
}

/**
 * Creates the function that finds the first rule that matches. If a tool could read the input in several ways, an earlier rule may match
 * only some of them; the strictest of all rules that may be the first then applies.
 */
function createRuleFinder(rules: readonly ToolRule[], isOfRun: (rule: ToolRule) => boolean): Rulebook["ruleOf"] {
  const all = rules.map((rule, index) => {
    const { tool, when, then } = rule;
    const name = `rules[${index}] ${tool}`;
    return { tool, then, name, applies: isOfRun(rule), match: createInputMatcher(when, `policy.rules.${index}.when`) };
  });
  const matchers = all.filter(({ applies }) => applies);
  return (call) => {
    const candidates: (NamedRule & { found: InputMatch })[] = [];
    for (const { tool, then, name, match } of matchers) {
      const found = tool === call.tool ? match(call.input) : "none";
      if (found !== "none") candidates.push({ name, then, found });
      if (found === "certain") break;
    }
    const decides = strictestFirst.flatMap((decision) => candidates.find(({ then }) => then === decision) ?? [])[0];
    return decides?.then === "allow" && candidates.at(-1)?.found !== "certain" ? undefined : decides;
  };
}

function namesIn(
  disable: readonly string[],
  rules: readonly ToolRule[],
  isOfRun: (rule: ToolRule) => boolean,
): [field: string, name: string][] {
  return [
    ...disable.map((name, index): [string, string] => [`disable.${index}`, name]),
    ...rules.flatMap((rule, index): [string, string][] => (isOfRun(rule) ? [[`rules.${index}.tool`, rule.tool]] : [])),
  ];
}

/** Refuses `agents` in rules that do not come from a project, because such rules would match nothing. */
function requireScope(rules: readonly ToolRule[], scope: PolicyScope | undefined): void {
  const index = rules.findIndex(({ agents }) => agents !== undefined);
  if (index === -1 || scope !== undefined) return;
  const field = `policy.rules.${index}.agents`;
  throw new ConfigError(
    `${field} limits a rule to agents, which only rules of bridle.yaml can do. Leave it out, and pass the policy to the agents that it is for.`,
    { field },
  );
}

interface NamePlace {
  readonly scope: PolicyScope | undefined;
  readonly position: SourcePosition | undefined;
}

/**
 * Returns a warning about a tool name that only an MCP server may know, and nothing for a known name. Throws ConfigError for an unknown
 * name.
 */
function doubtfulTool(
  name: string,
  known: readonly string[],
  field: string,
  { scope, position }: NamePlace,
): readonly string[] {
  const { tools = [], hasUnknownTools = false } = scope ?? {};
  if (known.includes(name) || tools.includes(name)) return [];
  const all = [...new Set([...known, ...tools])];
  const near = suggestion(name, all);
  if (hasUnknownTools && near === "") {
    return [
      `policy.${field} names the tool "${name}", which this agent does not have: it matches nothing here. Whether another agent has it is not known before its server is asked.`,
    ];
  }
  throw new ConfigError(
    `policy.${field} names the tool "${name}", which does not exist.${near || ` Known: ${all.join(", ")}.`}`,
    { field: `policy.${field}`, ...(position && { position }) },
  );
}

/** Warns about a condition on an input that the tool does not have: it matches no call, so a denial with it denies nothing. */
function doubtfulFields(
  { tool, when = {} }: ToolRule,
  index: number,
  fieldsOf: FieldsOf | undefined,
): readonly string[] {
  const known = fieldsOf?.(tool);
  if (known === undefined) return [];
  const names = new Set(known.map((name) => name.toLowerCase())); // as conditions read them
  const isKnown = (path: string) =>
    [path, path.split(/[.[]/, 1)[0] ?? ""].some((name) => names.has(name.toLowerCase()));
  const unknown = Object.keys(when).filter((path) => !isKnown(path));
  return unknown.map((path) => {
    const near =
      suggestion(path, known) || (known.length === 0 ? " It has none." : ` Its inputs: ${known.join(", ")}.`);
    return `policy.rules.${index}.when.${path} is about an input that the tool "${tool}" does not have, so the rule matches only calls that pass it all the same.${near}`;
  });
}

/** Checks agent names. An agent may be outside the project's folder, so only a name that is almost a known one is certainly wrong. */
function doubtfulAgents(
  { agents = [] }: ToolRule,
  index: number,
  scope: PolicyScope | undefined,
  positions: Readonly<Record<string, SourcePosition>>,
): readonly string[] {
  const known = [...new Set([...(scope?.agents ?? []), ...(scope?.agent === undefined ? [] : [scope.agent])])];
  return agents.flatMap((name, place) => {
    if (known.includes(name)) return [];
    const field = `rules.${index}.agents.${place}`;
    const near = suggestion(name, known);
    const sentence = `policy.${field} names the agent "${name}", which is not in a usual place of the project.`;
    if (near === "")
      return [`${sentence} The rule matches nothing, unless an agent of this name is opened by its file.`];
    const position = positions[field];
    throw new ConfigError(`${sentence}${near}`, { field: `policy.${field}`, ...(position && { position }) });
  });
}
