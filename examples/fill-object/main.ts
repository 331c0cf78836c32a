/** Turns a text into an object with a fixed schema. An object that does not fit is requested again, and never returned. */
import { createRuntime, isBridleError } from "bridle";
import { z } from "zod";

const ticketSchema = z.object({
  subject: z.string(),
  urgency: z.enum(["low", "high"]),
  orders: z.array(z.string().regex(/^A-\d+$/)),
});
const mail = "My lamp (order A-1001) arrived broken and I need it tomorrow. Please help!";

const runtime = await createRuntime();
try {
  const { object } = await runtime.generateObject({
    prompt: `Make a ticket of this mail:\n${mail}`,
    schema: ticketSchema,
  });
  console.log(`${object.urgency}: ${object.subject} (${object.orders.join(", ")})`);
} catch (error) {
  if (!isBridleError(error)) throw error;
  console.error(`No ticket could be made: ${error.message}`);
  process.exitCode = 1;
} finally {
  await runtime.close();
}
