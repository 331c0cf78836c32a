import { asLine, fenceLines } from "@bridle/context";
import type { Remembered } from "@bridle/ingest";
import { type AnyTool, defineTool, type ToolOutput } from "@bridle/protocol";
import { z } from "zod";
import type { ProjectIngest } from "./project-ingest.ts";

const input = z.object({
  text: z
    .string()
    .trim()
    .min(1)
    .max(4000)
    .describe("One or a few sentences that can be understood alone, as the person said them."),
  since: z.iso
    .date()
    .optional()
    .describe("The first day on which it holds, such as 2026-03-01, if the person named one."),
});

export interface RememberToolOptions {
  /** For whom the fact is remembered. */
  readonly scope: "project" | "user";
  /** The name that is stored as the fact's author. */
  readonly by: string;
  /** Opens ingest when there is something to remember. Rejects with a BridleError. */
  openIngest(): Promise<ProjectIngest>;
}

/** Creates a tool that remembers facts that users state. The tool writes a file, so each call is subject to rules and approvals. */
export function rememberTool({ scope, by, openIngest }: RememberToolOptions): AnyTool {
  const whom = scope === "project" ? "everybody who works with this project" : "this user";
  return defineTool({
    name: "remember",
    description: `Remember a fact about the data for ${whom}: a definition, rule or exception that a person told you and asked you to keep. Not for results of queries, guesses, or facts that are on a page already.`,
    input,
    annotations: { readOnly: false, destructive: false, idempotent: true, openWorld: false },
    async execute({ text, since }, { sessionId, runId, signal }) {
      const { remember } = await import("@bridle/ingest");
      const ingest = await openIngest();
      const options = { memory: ingest.memory(scope), gates: ingest.gates(), by, since, signal };
      // The text comes from a model, so it passes the same gates as facts from documents.
      return describeRemembered(await remember(text, { ...options, session: sessionId ?? runId, isCaptured: true }));
    },
  });
}

function describeRemembered(remembered: Remembered): ToolOutput {
  switch (remembered.kind) {
    case "remembered": {
      const { fact, refused } = remembered;
      const lines = fact.statements.map(({ statement }) => `- ${asLine(statement, 600)}`);
      return {
        markdown: [`Remembered as ${fact.id}.`, fenceLines(lines), ...refused].join("\n"),
        structured: { outcome: "remembered", ids: [fact.id], refused },
      };
    }
    case "known":
      return {
        markdown: `This is remembered already, as ${remembered.ids.join(", ")}.`,
        structured: { outcome: "known", ids: remembered.ids, refused: [] },
      };
    case "refused":
      return {
        markdown: ["Nothing is remembered.", ...remembered.reasons].join("\n"),
        structured: { outcome: "refused", ids: [], refused: remembered.reasons },
        isError: true,
      };
  }
}
