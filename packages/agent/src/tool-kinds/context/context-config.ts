import { z } from "zod";
import { text } from "../../config/fields.ts";

const patterns = z.array(text("A pattern such as sales.orders, sales or *.invoices.")).min(1);

/** Databases that the agent can read. */
export const contextToolConfig = z.strictObject({
  type: z
    .literal("context")
    .describe("Databases of context.connections in bridle.yaml, with tools that search and read them."),
  name: text("A name for messages. It does not change the names of the tools.").prefault("context"),
  description: text("A description of the databases, for people who read the file.").exactOptional(),
  connections: z
    .array(text("The name of a connection."))
    .min(1)
    .exactOptional()
    .describe("The connections that the agent may use, by their names in bridle.yaml. Default: all."),
  include: patterns
    .exactOptional()
    .describe("The only tables of these connections that the agent sees. It never sees more than bridle.yaml allows."),
  exclude: patterns.exactOptional().describe("Tables that are hidden from the agent."),
  knowledge: z
    .enum(["all", "structure"])
    .exactOptional()
    .describe(
      "The knowledge of the agent. structure limits the agent to what the databases declare (tables, columns, keys and comments) and to the tools describe and run_sql. Use it as a baseline in comparisons. Default: all.",
    ),
  remember: z
    .enum(["project", "user"])
    .exactOptional()
    .describe(
      "Adds the tool remember, which stores facts that a person tells the agent: for everyone in context/memory.yaml (project), or only for this user (user). project is not allowed with include or exclude, or if connections omits a connection. The rules apply to each call. With user, the agent also knows the stored facts of this user. Default: no tool.",
    ),
  reply_tokens: z
    .int()
    .min(600)
    .max(20_000)
    .exactOptional()
    .describe("The maximum number of tokens in one tool reply. Default: 4000."),
});

export type ContextToolConfig = z.output<typeof contextToolConfig>;
