import { z } from "zod";
import { sourceFields } from "../kinds/source-fields.ts";

export const metabaseSettingsSchema = z
  .strictObject({
    type: z.literal("metabase"),
    path: sourceFields.optionalPath("A folder with exported JSON of cards. Instead of url."),
    url: sourceFields.text("The address of Metabase, such as https://metabase.example.com."),
    apiKey: sourceFields.text(`An API key, such as \${METABASE_API_KEY}.`),
    username: sourceFields.text("The email address of an account, if there is no API key."),
    password: sourceFields.text(`Its password, such as \${METABASE_PASSWORD}.`),
    collections: sourceFields.list(
      "The ids or names of collections to read cards from, with the collections below them. Default: all that the account may see, but no personal ones.",
    ),
    databases: z
      .record(z.string(), z.string().trim().min(1))
      .exactOptional()
      .describe(
        "The connection of each database, by its id or name in Metabase. Default: the one with the table in its scan.",
      ),
  })
  .describe("Questions, models and metrics of Metabase, from its API or exported cards.");

export type MetabaseSettings = z.output<typeof metabaseSettingsSchema>;
