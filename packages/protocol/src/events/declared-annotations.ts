import { z } from "zod";

/** The effects that a tool declares. */
export const declaredAnnotationsSchema = z.strictObject({
  readOnly: z.boolean().optional(),
  destructive: z.boolean().optional(),
  idempotent: z.boolean().optional(),
  openWorld: z.boolean().optional(),
});
