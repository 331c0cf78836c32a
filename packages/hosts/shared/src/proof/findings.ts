import type { CheckFinding } from "@bridle/protocol";

/** One statement that the boundary proof checks. */
export interface BoundaryFinding {
  /** The statement, as a sentence. */
  readonly title: string;
  readonly ok: boolean;
  /** The observed facts. Shown if the statement is not true. */
  readonly detail: string;
}

/** Returns the report of `bridle doctor --boundary`: every statement, or only those that are not true. */
export function summarizeFindings(findings: readonly BoundaryFinding[]): CheckFinding {
  const broken = findings.filter(({ ok }) => !ok);
  if (broken.length === 0) return { ok: true, detail: findings.map(({ title }) => title).join("\n") };
  return {
    ok: false,
    detail: broken.map(({ title, detail }) => `Not so: ${title}. ${detail}`).join("\n"),
    remedy:
      "Do not run agents here on untrusted input, and report this with the output of bridle doctor --boundary --json.",
  };
}
