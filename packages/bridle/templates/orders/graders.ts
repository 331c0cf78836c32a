/** Metrics of your own for agent.yaml: functions that are given a turn as it went, and say how good it was. */
import type { Grader } from "bridle";
import { z } from "zod";

const refundSchema = z.object({ id: z.string(), cents: z.number() });
const orderSchema = z.object({ id: z.string(), cents: z.number() });

/** Whether each refund that the model asked for was of an order that it had looked up, and of no more than that cost. */
export const noMoreThanItCost: Grader = ({ calls }) => {
  const lookedUp = calls.filter(({ tool, state }) => tool === "lookup_order" && state === "succeeded");
  const orders = lookedUp.map(({ structured }) => orderSchema.parse(structured));
  const refunds = calls.filter(({ tool }) => tool === "refund").map(({ input }) => refundSchema.parse(input));
  // What cannot be judged is an error: a test must not pass because there was nothing to test.
  if (refunds.length === 0) throw new Error("No refund was asked for. Use this metric where one is expected.");
  const wrong = refunds.filter(({ id, cents }) => !orders.some((order) => order.id === id && cents <= order.cents));
  return {
    passed: wrong.length === 0,
    reason: `refunds: ${JSON.stringify(refunds)}, orders: ${JSON.stringify(orders)}`,
  };
};
