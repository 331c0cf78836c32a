/** Effects of settings that files have in common: how a host is reached, and rules that skip questions. */
import { resolveMode } from "@bridle/core";
import { type FolderEffect, formatPosition, isPlainObject, type SourcePosition } from "@bridle/protocol";
import type { PolicyConfig } from "../config/policy.ts";
import { asWritten, shownAddress, type WrittenTexts } from "./effect-values.ts";

/** The settings of a host in a file. */
export interface HostSettingsInFile {
  /** The path of the mapping, such as `llm.provider`. */
  readonly field: string;
  readonly values: object;
  readonly written: WrittenTexts;
  /** Keys that do not say how the host is reached. */
  readonly plain: readonly string[];
  /** Whether a key holds a credential. Its variable is an effect of its own. */
  isCredential(key: string): boolean;
}

const addressKeys = /^(?:base_?url|endpoint)$/i;
const fileKeys = /^(?:key_?file|credentials)$/i;

/** One effect for each setting that says how a host is reached. */
export function hostEffects({ field, values, written, plain, isCredential }: HostSettingsInFile): FolderEffect[] {
  const shown = asWritten(values, written, field);
  return leaves(isPlainObject(shown) ? shown : {}).flatMap(([path, value]): FolderEffect[] => {
    const [key = "", ...rest] = path;
    if (plain.includes(key)) return [];
    const text = String(value);
    const base = { field: [field, ...path].join("."), content: text };
    if (key === "headers")
      return [{ ...base, kind: "sends", subject: `the header ${rest.join(".")} with every request` }];
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

/** Rules under which tools run that a person would be asked about. */
export function policyEffects(policy: PolicyConfig | undefined, field = "policy"): FolderEffect[] {
  const { mode, rules = [], annotations = {} } = policy ?? {};
  const skipping = (subject: string, path: string, content: unknown = subject): FolderEffect => ({
    ...{ kind: "skips-questions", subject, field: `${field}.${path}`, content: JSON.stringify(content) },
  });
  const resolved = mode === undefined ? "normal" : resolveMode(mode).mode;
  return [
    ...(resolved === "yolo" ? [skipping(`mode ${mode}: every tool runs without a question`, "mode")] : []),
    ...(resolved === "auto" ? [skipping(`mode ${mode}: most tools run without a question`, "mode")] : []),
    ...rules.flatMap((rule, index) =>
      rule.then === "allow"
        ? [skipping(`${rule.tool} runs without a question${conditionText(rule.when)}`, `rules.${index}`, rule)]
        : [],
    ),
    ...(["destructive", "openWorld"] as const).flatMap((name) =>
      annotations[name] === "allow" ? [skipping(`${name} tools run without a question`, `annotations.${name}`)] : [],
    ),
  ];
}

/** Sentences about modes among the effects, each with its position: tools run that a person would be asked about. */
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
