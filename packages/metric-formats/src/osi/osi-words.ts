/** Reads descriptions and synonyms in documents. */
import { type ImportReport, refuseImport } from "../import-report.ts";
import type { LocatedValue } from "../located-value.ts";
import type { OsiExpression, OsiField } from "./osi-schema.ts";

export function osiWordsOf({ description, ai_context: context }: Pick<OsiField, "description" | "ai_context">) {
  const synonyms = typeof context === "object" ? context.synonyms : undefined;
  return {
    ...(description?.trim() && { description: description.trim() }),
    ...(synonyms?.length && { synonyms }),
  };
}

/** Reports the parts that are not imported. */
export function reportUnused(at: LocatedValue, kind: string, report: ImportReport): void {
  const subject = at.subject(kind);
  const extensions = at.child("custom_extensions");
  if (Array.isArray(extensions?.value) && extensions.value.length > 0)
    report.add("changed", subject, "custom_extensions are not kept.", extensions.position);
  const context = at.child("ai_context");
  if (typeof context?.value === "string" && context.value.trim() !== "")
    report.add("changed", subject, "The text of ai_context is not kept.", context.position);
  if (typeof context?.value !== "object" || context.value === null) return;
  for (const key of Object.keys(context.value).filter((each) => each !== "synonyms")) {
    const reason = `ai_context.${key} is not kept.`;
    report.add("changed", subject, reason, context.child(key)?.position ?? context.position);
  }
}

const standard = ["ANSI_SQL", "OSSIE_SQL_2026"];

/** Returns the expression in standard SQL. Throws an ImportRefusalError if there is none. */
export function standardSqlOf({ dialects }: OsiExpression): string {
  for (const name of standard) {
    const found = dialects.find(({ dialect }) => dialect.toUpperCase() === name);
    if (found) return found.expression;
  }
  const names = dialects.map(({ dialect }) => dialect).join(", ");
  return refuseImport(`It has no expression in ANSI_SQL or OSSIE_SQL_2026, but in ${names}. Add one.`);
}
