import { z } from "zod";

/**
 * Optional details of a run's events. They are off by default, because they make the event log longer.
 *
 * - `blocks`: the field `block` of text, reasoning and tool calls, which joins the events of one block of a response.
 * - `tool-input`: `input.delta`, the pieces of a call's input while the model writes it.
 * - `host-messages`: `host.message`, the host's unchanged messages.
 */
export const eventDetailSchema = z.enum(["blocks", "tool-input", "host-messages"]);
export type EventDetail = z.infer<typeof eventDetailSchema>;
