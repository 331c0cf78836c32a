import type { DocumentsEffects } from "@bridle/app/documents";
import { z } from "zod";
import type { Cli } from "../../command/cli.ts";
import type { Flags } from "../../command/command.ts";
import { projectFlags } from "../../command/project-flags.ts";
import { Interruption, reportInterrupt } from "../../terminal/interruption.ts";
import { IndexProgress } from "./index-progress.ts";

/** The flags of every command about documents. */
export const documentsFlags = {
  tool: {
    flag: "--tool <name>",
    description: "only the documents of this tool",
    value: z.string().min(1),
    expected: "the name of a tool",
  },
  ...projectFlags,
} satisfies Flags;

/** Shows progress during some work on documents, and resolves with the exit code, even if the work is interrupted. */
export async function whileIndexing(
  cli: Cli,
  work: (effects: DocumentsEffects, progress: IndexProgress) => Promise<number>,
): Promise<number> {
  const interruption = new Interruption(cli);
  const progress = new IndexProgress(cli.stderr, cli.environment);
  try {
    const { signal } = interruption;
    return await work({ signal, onProgress: (state) => progress.show(state) }, progress);
  } catch (error) {
    progress.stop();
    if (interruption.interrupt === undefined) throw error;
    return reportInterrupt("The index keeps the files that were read. It was", interruption.interrupt, cli);
  } finally {
    progress.stop();
    interruption.dispose();
  }
}
