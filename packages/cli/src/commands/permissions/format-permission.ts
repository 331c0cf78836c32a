import { type ListedPermission } from "@bridle/project";
import { harmless } from "@bridle/app";

/** `3f2a9c1b  allow run_sql, in this project`, and beneath it for which inputs, by whom and when. */
export function formatPermission({ id, tool, decision, scope, when = {}, by, at }: ListedPermission): string {
  const place = scope === "project" ? "in this project" : "always";
  const narrowed = Object.entries(when).map(([field, pattern]) => `where ${field} has ${pattern}`);
  const beneath = [...narrowed, `by ${by}, ${at.slice(0, 16).replace("T", " ")} UTC`];
  const lines = [
    `${id}  ${decision} ${tool}, ${place}`,
    ...beneath.map((line) => `${" ".repeat(id.length + 2)}${line}`),
  ];
  return harmless(lines.join("\n"));
}
