import { z } from "zod";
import { sourceFields } from "../kinds/source-fields.ts";

export const lookerSettingsSchema = z
  .strictObject({
    type: z.literal("looker"),
    path: sourceFields.optionalPath("A folder with exported JSON of explores, dashboards and looks. Instead of url."),
    url: sourceFields.text("The address of the API, such as https://acme.cloud.looker.com."),
    clientId: sourceFields.text(`The id of an API key, such as \${LOOKER_CLIENT_ID}.`),
    clientSecret: sourceFields.text(`The secret of the API key, such as \${LOOKER_CLIENT_SECRET}.`),
    models: sourceFields.list("The LookML models to read explores from. Default: all that the key may see."),
    folders: sourceFields.list(
      "The ids of folders to read dashboards and looks from. Default: all that the key may see.",
    ),
    connection: sourceFields.connection,
  })
  .describe("Explores, dashboards and looks of Looker, from its API 4.0 or exported files.");

export type LookerSettings = z.output<typeof lookerSettingsSchema>;
