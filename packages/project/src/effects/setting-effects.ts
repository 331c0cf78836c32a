/** The effects of settings that several kinds of files can have: how a host is reached, and rules that skip questions. */

import type { PolicyConfig } from "@bridle/core";
import { resolveMode } from "@bridle/core";
import { type FolderEffect, formatPosition, isPlainObject, type SourcePosition } from "@bridle/protocol";
import type { EventLogConfig } from "../config/event-log.ts";
import type { ServeConfig } from "../config/serve.ts";
import { asWritten, shownAddress, shownPair, type WrittenTexts } from "./effect-values.ts";

/** The settings of a host in a file. */
export interface HostSettingsInFile {
  /** The path of the mapping, such as `llm.provider`. */
  readonly field: string;
  readonly values: object;
  readonly written: WrittenTexts;
  /** Keys that do not determine how the host is reached. */
  readonly plain: readonly string[];
  /** Whether a key contains a credential. The credential's variable is a separate effect. */
  isCredential(key: string): boolean;
}

const addressKeys = /^(?:base_?url|endpoint)$/i;
const fileKeys = /^(?:key_?file|credentials)$/i;

/** Lists one effect for each setting that determines how a host is reached. */
export function hostEffects({ field, values, written, plain, isCredential }: HostSettingsInFile): FolderEffect[] {
  const shown = asWritten(values, written, field);
  return leaves(isPlainObject(shown) ? shown : {}).flatMap(([path, value]): FolderEffect[] => {
    const [key = "", ...rest] = path;
    if (plain.includes(key)) return [];
    const text = String(value);
    const base = { field: [field, ...path].join("."), content: text };
    if (key === "headers")
      return [{ ...base, kind: "sends", subject: `the header ${shownPair(rest.join("."), text)} with every request` }];
    if (addressKeys.test(key))
      return [{ ...base, kind: "sends", subject: `requests with their credentials to ${shownAddress(text)}` }];
    if (fileKeys.test(key)) return [{ ...base, kind: "reads", subject: `the key file ${text}` }];
    if (isCredential(key)) return [];
    return [{ ...base, kind: "sends", subject: `requests with ${path.join(".")}: ${text}` }];
  });
}

function leaves(value: object, path: readonly string[] = []): (readonly [path: readonly string[], value: unknown])[] {
  return Object.entries(value).flatMap(([key, inner]) =>
    isPlainObject(inner) ? leaves(inner, [...path, key]) : [[[...path, key], inner] as const],
  );
}

/** Lists the effects of an event log on another machine: the data that it receives, and the answers that it may return. */
export function eventLogEffects(eventLog: EventLogConfig | undefined, written: WrittenTexts): FolderEffect[] {
  if (eventLog?.type !== "postgres" || (eventLog.url === undefined && written["eventLog.url"] === undefined)) return [];
  const url = written["eventLog.url"] ?? eventLog.url ?? "";
  const { schema = "bridle" } = eventLog;
  const [address, field, content] = [shownAddress(url), "eventLog.url", `${url} ${schema}`];
  return [
    { kind: "sends", subject: `the events of all runs to ${address}`, field, content },
    { kind: "skips-questions", subject: `sessions, and answers to questions, from ${address}`, field, content },
  ];
}

/** Lists one effect for each user of the server: the user's token allows to read sessions, or also to start runs and answer questions. */
export function serveEffects(serve: ServeConfig | undefined): FolderEffect[] {
  return Object.entries(serve?.users ?? {}).map(([name, user]) => ({
    kind: "skips-questions",
    field: `serve.users.${name}`,
    content: JSON.stringify(user),
    subject: `the user ${name} of bridle serve ${user.role === "operator" ? "starts runs and answers questions" : "reads all sessions"}`,
  }));
}

/** Lists the effects of rules that run tools without asking the user. */
export function policyEffects(
  policy: PolicyConfig | undefined,
  written: WrittenTexts,
  field = "policy",
): FolderEffect[] {
  const { mode, rules = [], annotations = {} } = rulesAsWritten(policy, written, field) ?? {};
  const skipping = (subject: string, path: string, content: unknown = subject): FolderEffect => ({
    kind: "skips-questions",
    subject,
    field: `${field}.${path}`,
    content: JSON.stringify(content),
  });
  const resolved = mode === undefined ? "normal" : resolveMode(mode).mode;
  return [
    ...(resolved === "yolo" ? [skipping(`mode ${mode}: every tool runs without a question`, "mode")] : []),
    ...(resolved === "auto" ? [skipping(`mode ${mode}: most tools run without a question`, "mode")] : []),
    ...rules.flatMap((rule, index) =>
      rule.then === "allow"
        ? [
            skipping(
              `${rule.tool} runs without a question${conditionText(rule.when)}${agentsText(rule.agents)}`,
              `rules.${index}`,
              rule,
            ),
          ]
        : [],
    ),
    ...(["destructive", "openWorld"] as const).flatMap((name) =>
      annotations[name] === "allow" ? [skipping(`${name} tools run without a question`, `annotations.${name}`)] : [],
    ),
  ];
}

function agentsText(agents: readonly string[] | undefined): string {
  return agents === undefined ? "" : ` for ${agents.join(", ")}`;
}

/** Returns the rules with references, such as `${NAME}`, instead of the variables' values. */
function rulesAsWritten(policy: PolicyConfig | undefined, written: WrittenTexts, field: string) {
  return asWritten(policy, written, field) as PolicyConfig | undefined; // references are texts, as the values were
}

/** The rules that apply to the tools of a file. */
export interface RulesInForce {
  /** The agent that the rules apply to. Rules for other agents are left out, because they do not protect this agent. Default: all rules. */
  readonly agent?: string | undefined;
  readonly policy: PolicyConfig | undefined;
  readonly written: WrittenTexts;
  /** Settings besides the policy that affect calls, such as `claude.permission_mode manual`. */
  readonly others?: readonly string[];
}

/**
 * Returns all rules as one effect. Removing a rule can let calls run, just like adding one, so the user trusts the rules as a whole, and
 * sees the difference after a change.
 */
export function rulesEffect({ agent, policy, written, others = [] }: RulesInForce): FolderEffect {
  const rules = rulesFor(agent, rulesAsWritten(policy, written, "policy"));
  const parts = [...(rules === undefined ? [] : describeRules(rules)), ...others];
  const subject = parts.length === 0 ? "no rules: every tool runs without a question" : `rules: ${parts.join("; ")}`;
  return { kind: "skips-questions", subject, field: "policy", content: JSON.stringify([rules ?? null, others]) };
}

function rulesFor(agent: string | undefined, policy: PolicyConfig | undefined): PolicyConfig | undefined {
  if (agent === undefined || policy?.rules === undefined) return policy;
  return { ...policy, rules: policy.rules.filter(({ agents }) => agents === undefined || agents.includes(agent)) };
}

/** Describes the rules in the order of evaluation, because the first rule that matches decides. */
function describeRules({ mode = "normal", disable = [], rules = [], annotations = {} }: PolicyConfig): string[] {
  return [
    `mode ${mode}`,
    ...(disable.length > 0 ? [`without ${disable.join(", ")}`] : []),
    ...rules.map(({ tool, when, then, agents }) => `${then} ${tool}${conditionText(when)}${agentsText(agents)}`),
    ...Object.entries(annotations).map(([name, then]) => `${then} ${name} tools`),
  ];
}

/** Formats the effects of modes that run tools without asking the user: one sentence for each, with its position. */
export function skippingModes(
  effects: readonly FolderEffect[],
  positions: Readonly<Record<string, SourcePosition>>,
): string[] {
  return effects
    .filter(({ kind, subject }) => kind === "skips-questions" && /^(?:mode|permission_mode) /.test(subject))
    .map(({ field, subject }) => `${positions[field] ? formatPosition(positions[field]) : field}: ${subject}.`);
}

function conditionText(when: Readonly<Record<string, string>> | undefined): string {
  const conditions = Object.entries(when ?? {}).map(([key, expression]) => `${key} matches ${expression}`);
  return conditions.length === 0 ? "" : ` if ${conditions.join(" and ")}`;
}
