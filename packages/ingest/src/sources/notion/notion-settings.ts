import { z } from "zod";
import { sourceFields } from "../kinds/source-fields.ts";

export const notionSettingsSchema = z
  .strictObject({
    type: z.literal("notion"),
    path: sourceFields.optionalPath("A folder with an export as Markdown and CSV. Instead of token."),
    token: sourceFields.text(`The token of an integration, such as \${NOTION_TOKEN}. Instead of path.`),
    pages: sourceFields.list(
      "The ids of pages and databases that are read, with everything below them. Default: all that are shared with the integration.",
    ),
    url: sourceFields.text("The address of the API. Default: https://api.notion.com."),
    authority: sourceFields.authority,
  })
  .describe("Pages and databases of Notion, from its API or an export.");

export type NotionSettings = z.output<typeof notionSettingsSchema>;
