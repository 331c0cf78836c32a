import { z } from "zod";
import { sourceFields } from "../kinds/source-fields.ts";

export const textSettingsSchema = z
  .strictObject({
    type: z.literal("text"),
    text: z.string().exactOptional().describe("The text. Default: the standard input."),
    title: sourceFields.text("What the text is called. Default: its first heading or line."),
    authority: sourceFields.authority,
  })
  .describe("A text that is piped in or written in the settings.");

export type TextSettings = z.output<typeof textSettingsSchema>;
