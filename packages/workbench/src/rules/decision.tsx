import { Mark } from "../parts/mark.tsx";

const marks = { allow: "ok", ask: "waiting", deny: "bad" } as const;

/** The decision of a rule, shown as a sign and a word. */
export function Decision({ decision }: { decision: keyof typeof marks }) {
  return (
    <span className="decision">
      <Mark kind={marks[decision]} />
      {decision}
    </span>
  );
}
