import { type AnyTool, defineTool, type Excerpt, pairEnd, pairStart } from "@bridle/protocol";
import { z } from "zod";

export const readResultName = "read_result";

/** The whole text of each truncated result, by the id of its call. Undefined if the text is no longer stored. */
export type WholeResults = ReadonlyMap<string, () => Promise<string | undefined>>;

/** Creates the tool that pages through truncated results of the run and of the session's earlier runs. Calls `onPage` with each page. */
export function createReadResultTool(
  results: WholeResults,
  pageChars: number,
  onPage: (callId: string, page: Excerpt) => void = () => {},
): AnyTool {
  return defineTool({
    name: readResultName,
    description:
      "Reads more of a tool result that was too long to be shown whole. Give the id named in the cut result and an offset.",
    input: z.object({
      id: z.string().optional().describe("The id of the cut result; the newest one if left out"),
      offset: z.int().nonnegative().default(0).describe("The character to begin at, counted from 0"),
    }),
    annotations: { readOnly: true, idempotent: true },
    maxResultChars: Number.POSITIVE_INFINITY,
    execute: async ({ id, offset }, { callId }) => {
      const whole = await (id === undefined ? [...results.values()].at(-1) : results.get(id))?.();
      if (results.size === 0) throw new Error("No result was cut, so there is nothing to read.");
      if (whole === undefined)
        throw new Error(`No cut result has the id "${id}". Known: ${[...results.keys()].join(", ")}.`);
      if (offset >= whole.length) return `[The result ends at character ${whole.length}.]`;
      const page = pageFrom(whole, offset, pageChars);
      onPage(callId, page);
      return formatPage(page);
    },
  });
}

function pageFrom(whole: string, offset: number, size: number): Excerpt {
  const start = pairStart(whole, offset);
  return { whole, start, end: pairEnd(whole, Math.min(start + size, whole.length)) };
}

function formatPage({ whole, start, end }: Excerpt): string {
  const next = end < whole.length ? ` Go on with offset ${end}.` : " This is the end.";
  return `[Characters ${start} to ${end} of ${whole.length}.${next}]\n${whole.slice(start, end)}`;
}
