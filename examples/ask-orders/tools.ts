import { DatabaseSync } from "node:sqlite";
import { defineTool } from "bridle";
import { z } from "zod";

const shop = new DatabaseSync(":memory:");
shop.exec(`
  CREATE TABLE orders (id TEXT PRIMARY KEY, customer TEXT, state TEXT, cents INTEGER);
  INSERT INTO orders VALUES ('A-1001', 'Ada', 'shipped', 4590), ('A-1002', 'Grace', 'packed', 18750);
`);

const lookupOrder = defineTool({
  name: "lookup_order",
  description: "Find one order by its number.",
  input: z.object({ id: z.string().describe("such as A-1001") }),
  annotations: { readOnly: true },
  async execute({ id }) {
    const order = shop.prepare("SELECT * FROM orders WHERE id = ?").get(id);
    return order ? JSON.stringify(order) : `There is no order ${id}.`;
  },
});

export default [lookupOrder];
