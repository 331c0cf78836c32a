import type { KnownColumn, RankedDescription } from "../knowledge/known.ts";
import { asLine } from "../replies/reply.ts";
import { toPercent } from "./describe-join.ts";

/** Describes a column in one line: its type, the known facts about its values, and its description. */
export function formatColumn(column: KnownColumn, key: readonly string[]): string {
  const { name, nativeType, nullable, sensitive, description } = column;
  const traits = [
    asLine(nativeType, 60),
    ...(key.includes(name) ? ["key"] : []),
    ...(nullable ? [] : ["not null"]),
    ...(sensitive === undefined ? [] : [`sensitive (${asLine(sensitive, 30)}): values are replaced in results`]),
    ...describeValues(column),
  ];
  return `- ${asLine(name, 120)}: ${traits.join(", ")}${formatDescription(description)}`;
}

export function formatDescription(description: RankedDescription | undefined): string {
  if (description === undefined) return "";
  const { text, source, from } = description;
  const origin = from === undefined ? source : `${source} ${asLine(from, 80)}`;
  return `. ${asLine(text, 400)} [${origin}]`;
}

function describeValues({ profile, sensitive }: KnownColumn): string[] {
  if (profile === undefined || profile.rows === 0) return [];
  const { rows, nulls, distinct, min, max, frequent } = profile;
  const isOpen = sensitive === undefined;
  return [
    ...(nulls > 0 ? [`${toPercent(nulls / rows)} NULL`] : []),
    `${distinct} different`,
    ...(isOpen && min !== undefined && max !== undefined ? [`${asLine(min, 40)} to ${asLine(max, 40)}`] : []),
    ...(isOpen && frequent.length > 0
      ? [
          `often ${frequent
            .slice(0, 6)
            .map(({ value }) => quote(value))
            .join(", ")}`,
        ]
      : []),
  ];
}

function quote(value: string): string {
  return `"${asLine(value, 40)}"`;
}
