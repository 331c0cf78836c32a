import { z } from "zod";
import { file, text } from "./fields.ts";

/** One of the two. */
export const instructionsSchema = z
  .strictObject({
    file: file("A text file with the instructions.").nullable().exactOptional(),
    inline: text("The instructions themselves.").nullable().exactOptional(),
  })
  .check(({ value, issues }) => {
    const given = [value.file, value.inline].filter((each) => each !== undefined && each !== null);
    if (given.length === 1) return;
    const message =
      given.length === 0 ? "says neither file nor inline. Write one of them." : "says both file and inline. Keep one.";
    issues.push({ code: "custom", input: value, path: [], message });
  })
  .describe(
    "What the model is told before anything else. A file may begin with front matter (version, author, description, tags), which is not sent to the model.",
  );
