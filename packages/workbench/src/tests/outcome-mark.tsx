import { Mark, type MarkKind } from "../parts/mark.tsx";

type Outcome = "passed" | "failed" | "errored" | "not-run";

const kinds: Readonly<Record<Outcome, MarkKind>> = { passed: "ok", failed: "bad", errored: "warn", "not-run": "off" };

export function OutcomeMark({ outcome, flaky = false }: { outcome: Outcome; flaky?: boolean }) {
  const words = outcome === "not-run" ? "not run" : outcome;
  return <Mark kind={kinds[outcome]} label={flaky ? `${words}, flaky` : words} />;
}
