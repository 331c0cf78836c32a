import { z } from "zod";
import { type SourceKind, sourceFields } from "../kinds/source-kind.ts";

const schema = z
  .strictObject({
    type: z.literal("text"),
    text: z.string().exactOptional().describe("The text. Default: the standard input."),
    title: sourceFields.text("What the text is called. Default: its first heading or line."),
    authority: sourceFields.authority,
  })
  .describe("A text that is piped in or written in the settings.");

export type TextSettings = z.output<typeof schema>;

export const textKind: SourceKind<typeof schema> = {
  type: "text",
  schema,
  secretKeys: [],
  load: async () => ({ create: (await import("./text-source.ts")).createTextSource }),
};
