import type { ListedPermission } from "@bridle/app/permissions";
import { toPrintable } from "../../terminal/printable.ts";

/**
 * Formats an answer: `3f2a9c1b  allow run_sql, in this project`, followed by lines with the source, the conditions on inputs, the user and
 * the time.
 */
export function formatPermission({ id, tool, identity, decision, scope, when = {}, by, at }: ListedPermission): string {
  const validity = scope === "project" ? "in this project" : "always";
  const conditions = Object.entries(when).map(([field, pattern]) => `if ${field} matches ${pattern}`);
  const source = identity === undefined ? [] : [`from ${identity.source}`];
  const below = [...source, ...conditions, `by ${by}, ${at.slice(0, 16).replace("T", " ")} UTC`];
  const lines = [
    `${id}  ${decision} ${tool}, ${validity}`,
    ...below.map((line) => `${" ".repeat(id.length + 2)}${line}`),
  ];
  return toPrintable(lines.join("\n"));
}
