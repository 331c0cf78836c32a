import { z } from "zod";
import { sourceFields } from "../kinds/source-fields.ts";

export const textSettingsSchema = z
  .strictObject({
    type: z.literal("text"),
    text: z.string().exactOptional().describe("The text. Default: the standard input."),
    title: sourceFields.text("The title of the text. Default: its first heading or line."),
    authority: sourceFields.authority,
  })
  .describe("A text from standard input or from the settings.");

export type TextSettings = z.output<typeof textSettingsSchema>;
