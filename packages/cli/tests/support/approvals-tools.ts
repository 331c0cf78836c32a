import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { defineTool } from "@bridle/protocol";
import { z } from "zod";

/** Tools with an effect that tests can check: a line in the file `effects` of the project. */
export default function toolsIn(project: string) {
  return ["erase", "mail"].map((name) =>
    defineTool({
      name,
      description: "Changes something.",
      input: z.object({ what: z.string() }),
      preview: ({ what }) => `- ${what}`,
      async execute({ what }) {
        appendFileSync(join(project, "effects"), `${name} ${what}\n`);
        return `Done: ${name} ${what}.`;
      },
    }),
  );
}
