import type { RunReplay } from "@bridle/client";

type Cost = NonNullable<RunReplay["usage"][number]["cost"]>;

/** Returns the total cost of the responses up to an event. `undefined` if the host reported no cost for them. */
export function costUntil(usage: RunReplay["usage"], at: number): Cost | undefined {
  const passed = usage.filter(({ seq }) => seq <= at);
  const known = passed.flatMap(({ cost }) => cost ?? []);
  if (known.length === 0) return undefined;
  const isPartial = known.length < passed.length || known.some(({ partial }) => partial === true);
  return {
    usd: known.reduce((sum, { usd }) => sum + usd, 0),
    estimate: known.some(({ estimate }) => estimate),
    ...(isPartial && { partial: true as const }),
  };
}
