import { z } from "zod";
import { file, text } from "./fields.ts";

/** The instructions: either `file` or `inline`. */
export const instructionsSchema = z
  .strictObject(
    {
      file: file("A text file with the instructions.").nullable().exactOptional(),
      inline: text("The text of the instructions.").nullable().exactOptional(),
    },
    {
      error: ({ input }) =>
        typeof input === "string"
          ? "is a text. Write it as { inline: … }, or a file with it as { file: … }"
          : undefined,
    },
  )
  .check(({ value, issues }) => {
    const given = [value.file, value.inline].filter((each) => each !== undefined && each !== null);
    if (given.length === 1) return;
    const message =
      given.length === 0
        ? "has neither file nor inline. Write one of them."
        : "has both file and inline. Keep one of them.";
    issues.push({ code: "custom", input: value, path: [], message });
  })
  .describe(
    "The system prompt of the agent. A file can begin with front matter (version, author, description, tags), which is not sent to the model.",
  );
