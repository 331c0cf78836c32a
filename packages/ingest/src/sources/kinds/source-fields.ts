/** Schemas of keys shared by several kinds of sources. */
import { z } from "zod";

const text = z.string().trim().min(1);

const inProject = (what: string) => `${what} A relative path starts in the folder of bridle.yaml.`;

export const sourceFields = {
  text: (description: string) => text.exactOptional().describe(description),
  path: (what: string) => text.describe(inProject(what)),
  optionalPath: (what: string) => text.exactOptional().describe(inProject(what)),
  globs: (description: string) => z.array(text).min(1).exactOptional().describe(description),
  list: (description: string) => z.array(text).min(1).exactOptional().describe(description),
  count: (description: string) => z.int().min(1).exactOptional().describe(description),
  connection: text
    .exactOptional()
    .describe("The connection of the tables that it names. Default: the one with the table in its scan."),
  authority: z
    .enum(["certified", "document", "inferred"])
    .exactOptional()
    .describe(
      "The authority of the source if sources disagree: certified is stronger than document, and inferred is weaker.",
    ),
};
