/** The tools of the order desk. They use a file of orders; replace it with your own database. */
import { readFile, rename, writeFile } from "node:fs/promises";
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
    const order = find(await readOrders(), id);
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
    const order = find(await readOrders(), id);
    return [
      `Order ${order.id}: ${order.item}, of ${order.customer}`,
      `- paid back ${euros(order.refundedCents)} of ${euros(order.cents)}`,
      `+ paid back ${euros(order.refundedCents + cents)} of ${euros(order.cents)}`,
    ].join("\n");
  },
  async execute({ id, cents }) {
    const orders = await readOrders();
    const order = find(orders, id);
    const left = order.cents - order.refundedCents;
    if (cents > left) throw new Error(`At most ${euros(left)} of order ${order.id} can be paid back.`);
    order.refundedCents += cents;
    await writeOrders(orders);
    return { markdown: `${euros(cents)} were paid back to ${order.customer}.`, structured: order };
  },
});

async function readOrders(): Promise<Order[]> {
  return z.array(orderSchema).parse(JSON.parse(await readFile(file, "utf8")));
}

/** Bridle never runs two calls at the same time that may change something, so no write is lost. */
async function writeOrders(orders: readonly Order[]): Promise<void> {
  await writeFile(`${file}.new`, `${JSON.stringify(orders, undefined, 2)}\n`);
  await rename(`${file}.new`, file);
}

function find(orders: readonly Order[], id: string): Order {
  const order = orders.find((each) => each.id === id.toUpperCase());
  if (!order) throw new Error(`There is no order ${id}. Ask for the number on the invoice, such as A-1001.`);
  return order;
}

function euros(cents: number): string {
  return `${(cents / 100).toFixed(2)} EUR`;
}
