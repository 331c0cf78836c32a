import { formatCost } from "@bridle/protocol/text";
import { describePayer } from "../status/status-facts.ts";

interface RealRun {
  /** The cost of the last run whose price is known. */
  readonly usd: number | undefined;
  readonly auth: string | null;
}

/** Describes the cost of running the tests on a real model, and the account that pays. */
export function describeRealRun({ usd, auth }: RealRun): string {
  const payer = auth === null ? "" : `, paid by ${describePayer(auth)}`;
  const cost =
    usd === undefined
      ? "What it costs is not known: no earlier run of these tests on a real model has a price."
      : `About ${formatCost({ usd, estimate: true })}, as much for each trial as in the last real run.`;
  return `Real: each trial asks the model${payer}. ${cost}`;
}
