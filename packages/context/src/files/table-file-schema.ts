/** `context/tables/<connection>/<schema>.yaml`: what users and agents add to the scan of one schema. */
import { z } from "zod";
import { statedRelationships } from "../facts/facts.ts";
import { parseColumnId } from "../facts/parse-identifier.ts";

/** The sources of a description, from the strongest to the weakest. A comment in the database is weaker than all of them. */
export const noteSources = ["person", "document", "model"] as const;
export type NoteSource = (typeof noteSources)[number];

const line = z.string().trim().min(1, "is empty. Write the text, or remove the line");

const described = z
  .union(
    [
      line,
      z.strictObject({
        text: line.describe("The description."),
        source: z
          .enum(noteSources)
          .describe(
            "The origin of the description. Descriptions by a person are never replaced by those of a document or a model.",
          ),
        from: line.exactOptional().describe("The source document."),
      }),
    ],
    { error: "must be a text, or a mapping with text and source" },
  )
  .describe("A description in a sentence or two. A text alone counts as written by a person.");

const hidden = z.boolean().exactOptional();
const sensitive = z
  .literal(true, {
    error: "can only be true. Only bridle.yaml can mark a column as not sensitive; remove the line",
  })
  .exactOptional()
  .describe(
    "The column contains values that nobody may see. They are masked in results, and never put into a prompt or an index.",
  );

const columnNotes = z
  .strictObject({
    description: described.exactOptional(),
    hidden: hidden.describe("Whether the column is hidden from agents."),
    sensitive,
  })
  .describe("The notes about a column.");

const tableNotes = z
  .strictObject({
    description: described.exactOptional(),
    hidden: hidden.describe("Whether the table is hidden from agents: in searches, descriptions and SQL."),
    columns: z.record(z.string(), columnNotes).exactOptional().describe("Columns by their names."),
  })
  .describe("The notes about a table.");

const columnId = z
  .string()
  .refine(
    (text) => parseColumnId(text) !== undefined,
    "is not a valid identifier. Write connection.schema.table.column",
  );
const end = z.union([columnId, z.array(columnId).min(1)], {
  error: "must be connection.schema.table.column, or a list of them",
});

const joinNote = z
  .strictObject({
    from: end.describe("The column with the reference, or several in order."),
    to: end.describe("The column that it refers to, or several in the same order."),
    status: z
      .enum(["accepted", "rejected", "proposed"])
      .describe(
        "accepted: agents use the join. If a model accepted it, they use it only as long as the data support it. rejected: it is wrong, and the scan does not report it again. proposed: the scan lists it for review if the data support it.",
      ),
    relationship: z
      .enum(statedRelationships)
      .exactOptional()
      .describe("The relationship to use until a scan has counted the values of both ends. Then the data decide."),
    condition: line.exactOptional().describe("The condition for the join, such as kind = 'post'."),
    reason: line.exactOptional().describe("The reason for the decision."),
    source: z.enum(noteSources).exactOptional().describe("The author of the decision. Default: person."),
  })
  .describe("A decision about a join.");

export const tableFileSchema = z.strictObject({
  tables: z.record(z.string(), tableNotes).exactOptional().describe("Tables of the schema by their names."),
  joins: z.array(joinNote).exactOptional().describe("Decisions about joins that begin in this schema."),
});

export type TableFile = z.output<typeof tableFileSchema>;
export type TableNotes = z.output<typeof tableNotes>;
export type ColumnNotes = z.output<typeof columnNotes>;
export type JoinNote = z.output<typeof joinNote>;
export type DescriptionNote = z.output<typeof described>;
