/** Finds the lines of an agent file that contain its problems. */
import { resolve } from "node:path";
import { readTextFile } from "@bridle/core";
import { isForeignLink } from "@bridle/project";
import { z } from "zod";
import type { AgentCheck } from "./agent-check.ts";

export const problemLinesSchema = z.array(
  z.strictObject({
    line: z.int().positive(),
    text: z.string(),
    /** Whether a problem is in this line. */
    isWrong: z.boolean(),
  }),
);
export type ProblemLines = z.output<typeof problemLinesSchema>;

/** The number of lines to show before and after a problem. */
const around = 2;
/** The maximum number of characters to show of each line. */
const maxCharacters = 200;
const maxLines = 200;

/** Returns the lines of the agent file around its problems, in order. Empty if the file cannot be read. */
export async function readProblemLines(
  file: string,
  { problems }: Pick<AgentCheck, "problems">,
  { cwd }: { readonly cwd: string },
): Promise<ProblemLines> {
  const wrong = new Set(
    problems.flatMap((problem) => (problem.file === file && problem.line !== null ? [problem.line] : [])),
  );
  if (wrong.size === 0 || isForeignLink(resolve(cwd, file))) return [];
  const text = await readTextFile(resolve(cwd, file)).catch(() => "");
  const isNear = (line: number) => [...wrong].some((each) => Math.abs(each - line) <= around);
  return text
    .split("\n")
    .map((content, index) => ({
      line: index + 1,
      text: content.slice(0, maxCharacters),
      isWrong: wrong.has(index + 1),
    }))
    .filter(({ line }) => isNear(line))
    .slice(0, maxLines);
}
