import type { ParsedExpression } from "@bridle/semantic/model-parts";
import { refuseImport } from "../import-report.ts";
import type { LookmlBlock } from "./lookml-tree.ts";

/** Writes the bands of a `tier`, with Looker's labels. */
export function bandsOf(block: LookmlBlock, value: ParsedExpression): ParsedExpression {
  const items = [...block.items("tiers"), ...block.items("bins")].map(({ text }) => text);
  if (items.length === 0) refuseImport("A tier needs tiers. Add them.");
  const wrong = items.find((each, index) => !/^-?\d+(\.\d+)?$/.test(each) || Number(each) <= Number(items[index - 1]));
  if (wrong !== undefined) refuseImport(`The tiers are not ascending numbers: ${wrong}. Correct them.`);
  const style = block.text("style") ?? "classic";
  const label =
    labels[style] ??
    refuseImport(`The style ${style} of a tier is not known. Use classic, interval, integer or relational.`);
  const below = items.map((each, index) => ({
    when: { kind: "binary", operator: "<", left: value, right: numberOf(each) } as const,
    then: text(label(items[index - 1], each, index)),
  }));
  const last = items.at(-1) ?? "";
  const above = { kind: "binary", operator: ">=", left: value, right: numberOf(last) } as const;
  const branches = [...below, { when: above, then: text(label(last, undefined, items.length)) }];
  return { kind: "case", branches, otherwise: text(style === "classic" ? "TXX Undefined" : "Undefined") };
}

type WriteLabel = (from: string | undefined, to: string | undefined, index: number) => string;

function interval(from: string | undefined, to: string | undefined): string {
  return `${from === undefined ? "(-inf" : `[${from}`},${to ?? "inf"})`;
}

const labels: Readonly<Record<string, WriteLabel>> = {
  classic: (from, to, index) => `T${String(index).padStart(2, "0")} ${interval(from, to)}`,
  interval,
  integer(from, to) {
    if (from === undefined) return `Below ${to}`;
    return to === undefined ? `${from} or Above` : `${from} to ${Number(to) - 1}`;
  },
  relational(from, to) {
    if (from === undefined) return `< ${to}`;
    return to === undefined ? `>= ${from}` : `>= ${from} and < ${to}`;
  },
};

function text(value: string): ParsedExpression {
  return { kind: "literal", type: "text", value };
}

function numberOf(value: string): ParsedExpression {
  const type = value.includes(".") ? "decimal" : "integer";
  const literal: ParsedExpression = { kind: "literal", type, value: value.replace(/^-/, "") };
  return value.startsWith("-") ? { kind: "unary", operator: "-", operand: literal } : literal;
}
