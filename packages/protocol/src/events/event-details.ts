import { z } from "zod";

/**
 * What the events of a run contain only if it is asked for, because it makes the event log longer.
 *
 * - `blocks`: the field `block` of text, reasoning and tool calls, which joins the events of one block of a response.
 * - `tool-input`: `input.delta`, the pieces of a call's input while the model writes it.
 * - `host-messages`: `host.message`, the messages of the host as they are.
 */
export const eventDetailSchema = z.enum(["blocks", "tool-input", "host-messages"]);
export type EventDetail = z.infer<typeof eventDetailSchema>;
