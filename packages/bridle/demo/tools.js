/** Three tools for the shop. They return JSON, which models read well. */
import { defineTool } from "bridle";
import { z } from "zod/v4";
import { openShop } from "./shop.js";

const shop = openShop();
const euros = (cents) => `${(cents / 100).toFixed(2)} EUR`;
const reply = (value) => ({ markdown: JSON.stringify(value), structured: value });
const month = z.string().regex(/^\d{4}-\d{2}$/);

const totalsByMonth = defineTool({
  name: "totals_by_month",
  description:
    "Get the orders and the revenue of each month of a year, and the best month. The shop has orders from 2025.",
  input: z.object({ year: z.int().describe("such as 2025") }),
  annotations: { readOnly: true },
  async execute({ year }) {
    const rows = shop
      .prepare(
        `SELECT substr(day, 1, 7) AS month, COUNT(*) AS orders, SUM(cents) AS cents
         FROM order_totals WHERE day LIKE ? GROUP BY month ORDER BY month`,
      )
      .all(`${year}-%`);
    if (rows.length === 0) return `There are no orders from ${year}.`;
    const months = rows.map(({ month, orders, cents }) => ({ month, orders, revenue: euros(cents) }));
    const best = rows.reduce((most, row, index) => (row.cents > rows[most].cents ? index : most), 0);
    const total = rows.reduce((sum, { cents }) => sum + cents, 0);
    return reply({ year, months, best: months[best], revenue: euros(total) });
  },
});

const searchOrders = defineTool({
  name: "search_orders",
  description: "Find orders by month, customer or both, the largest first.",
  input: z.object({
    month: month.optional().describe("such as 2025-03"),
    customer: z.string().optional().describe("part of the name"),
    limit: z.int().min(1).max(50).default(10),
  }),
  annotations: { readOnly: true },
  async execute({ month = "", customer = "", limit }) {
    const orders = shop
      .prepare(
        `SELECT id, day, customer, cents FROM order_totals
         WHERE day LIKE ? AND customer LIKE ? ORDER BY cents DESC, id LIMIT ?`,
      )
      .all(`${month}%`, `%${customer}%`, limit);
    return reply({ orders: orders.map(({ cents, ...order }) => ({ ...order, total: euros(cents) })) });
  },
});

const orderDetails = defineTool({
  name: "order_details",
  description: "Get one order with its items.",
  input: z.object({ id: z.string().describe("such as A-1001") }),
  annotations: { readOnly: true },
  async execute({ id }) {
    const order = shop.prepare("SELECT * FROM order_totals WHERE id = ?").get(id);
    if (order === undefined) throw new Error(`There is no order ${id}. Find one with search_orders.`);
    const items = shop.prepare("SELECT product, quantity, price_cents FROM items WHERE order_id = ?").all(id);
    const { cents, ...rest } = order;
    const contents = items.map(({ product, quantity }) => `${quantity} × ${product}`).join(", ");
    return reply({ ...rest, total: euros(cents), contents });
  },
});

export default [totalsByMonth, searchOrders, orderDetails];
