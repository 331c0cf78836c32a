/** The tools of the support desk. Replace the list with your own data. */
import { defineTool } from "bridle";
import { z } from "zod";

const orders = [
  { id: "A-1001", item: "Reading lamp", state: "shipped", day: "2026-03-02" },
  { id: "A-1002", item: "Walnut desk", state: "being made", day: "2026-03-20" },
];

export const lookupOrder = defineTool({
  name: "lookup_order",
  description: "Find one order by its number: the item, its state, and the day of that state.",
  input: z.object({ id: z.string().describe("the number of the order, such as A-1001") }),
  annotations: { readOnly: true },
  async execute({ id }) {
    const order = orders.find((each) => each.id === id.toUpperCase());
    // The model receives the message of an error, so state the problem and the remedy.
    if (!order) throw new Error(`There is no order ${id}. Ask for the number on the invoice, such as A-1001.`);
    return { markdown: JSON.stringify(order), structured: order };
  },
});
