/** Custom metrics for agent.yaml: functions that get a finished turn and return a result. */
import type { Grader } from "bridle";
import { z } from "zod";

const refundSchema = z.object({ id: z.string(), cents: z.number() });
const orderSchema = z.object({ id: z.string(), cents: z.number() });

/** Passes if the model looked up the order of each refund, and refunded no more than its price. */
export const noMoreThanItCost: Grader = ({ calls }) => {
  const lookedUp = calls.filter(({ tool, state }) => tool === "lookup_order" && state === "succeeded");
  const orders = lookedUp.map(({ structured }) => orderSchema.parse(structured));
  const refunds = calls.filter(({ tool }) => tool === "refund").map(({ input }) => refundSchema.parse(input));
  // Without a refund there is nothing to test. An error keeps the test from passing.
  if (refunds.length === 0)
    throw new Error("The model requested no refund. Use this metric for cases that expect one.");
  const wrong = refunds.filter(({ id, cents }) => !orders.some((order) => order.id === id && cents <= order.cents));
  return {
    passed: wrong.length === 0,
    reason: `refunds: ${JSON.stringify(refunds)}, orders: ${JSON.stringify(orders)}`,
  };
};
