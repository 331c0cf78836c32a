import { z } from "zod";

export const stopReasonSchema = z.enum(["natural", "budget", "stopped", "error"]);
export type StopReason = z.infer<typeof stopReasonSchema>;
