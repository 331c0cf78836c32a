// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is how the file refers to the environment
import { z } from "zod";
import { text } from "../../config/fields.ts";

/** What to do about a database that Bridle does not support. */
export const embeddedInstead =
  "Write database: embedded, and the index is built from the sources into a file of the project. PostgreSQL is possible too: { provider: postgres, connection_string: … }.";

/** `database` of a documents tool: `embedded`, the name of a store, or a mapping. */
export const databaseSchema = z
  .union(
    [
      text("embedded, or the name of a store."),
      z.strictObject({
        provider: z.literal("postgres", {
          error: ({ input }) => `is ${input}, which Bridle has no store for. ${embeddedInstead}`,
        }),
        connection_string: text("The address of the database with user and password, such as ${DATABASE_URL}."),
      }),
    ],
    {
      error: `has to be embedded, the name of a store, or a mapping. ${embeddedInstead}`,
    },
  )
  .describe(
    "Where the index is stored: embedded (a file in the project), a PostgreSQL database (vectors need pgvector), or the name of a PostgreSQL store that config.yaml, next to this file, defines under vectorstores. Default: embedded.",
  );
