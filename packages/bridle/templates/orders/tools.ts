/** The tools of the order desk. They work on a copy of a file of orders; replace it with your own database. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { defineTool } from "bridle";
import { z } from "zod";

const file = join(import.meta.dirname, "orders.json");

const orderSchema = z.object({
  id: z.string(),
  customer: z.string(),
  item: z.string(),
  cents: z.int(),
  state: z.string(),
  refundedCents: z.int(),
});
type Order = z.output<typeof orderSchema>;

const id = z.string().describe("the number of the order, such as A-1001");

export const lookupOrder = defineTool({
  name: "lookup_order",
  description: "Find one order by its number: customer, item, price in cents, state, and the amount refunded so far.",
  input: z.object({ id }),
  annotations: { readOnly: true },
  async execute({ id }) {
    const order = find(openOrders(), id);
    return { markdown: JSON.stringify(order), structured: order };
  },
});

export const refund = defineTool({
  name: "refund",
  description: "Refund an order, or a part of it.",
  input: z.object({ id, cents: z.int().min(1).describe("the amount in cents") }),
  annotations: { destructive: true },
  // The preview that a person sees before the decision: the change, and nothing else.
  async preview({ id, cents }) {
    const order = find(openOrders(), id);
    return [
      `Order ${order.id}: ${order.item}, of ${order.customer}`,
      `- paid back ${euros(order.refundedCents)} of ${euros(order.cents)}`,
      `+ paid back ${euros(order.refundedCents + cents)} of ${euros(order.cents)}`,
    ].join("\n");
  },
  async execute({ id, cents }) {
    const order = find(openOrders(), id);
    const left = order.cents - order.refundedCents;
    if (cents > left) throw new Error(`At most ${euros(left)} of order ${order.id} can be paid back.`);
    order.refundedCents += cents;
    return { markdown: `${euros(cents)} were paid back to ${order.customer}.`, structured: order };
  },
});

let orders: Order[] | undefined;

/** Refunds change only this copy, so that a rehearsal or a test begins with the same orders each time. */
function openOrders(): Order[] {
  orders ??= z.array(orderSchema).parse(JSON.parse(readFileSync(file, "utf8")));
  return orders;
}

function find(orders: readonly Order[], id: string): Order {
  const order = orders.find((each) => each.id === id.toUpperCase());
  if (!order) throw new Error(`There is no order ${id}. Ask for the number on the invoice, such as A-1001.`);
  return order;
}

function euros(cents: number): string {
  return `${(cents / 100).toFixed(2)} EUR`;
}
