import { type AnyTool, cutText, type ToolDeclaration, type ToolReply } from "@bridle/protocol";
import { createReadResultTool, readResultName, type WholeResults } from "./read-result.ts";
import { declareTool } from "./toolbox.ts";

const defaultMaxResultChars = 40_000;

type Fitted = Pick<ToolReply, "output" | "addedTool"> & { artifact?: string };

/** The results of one run that were too long to be shown whole, and the tool with which the model reads on. */
export interface CutResults {
  /** The text itself when it fits; else head, tail and how to read on, and the artifact that has all of it. */
  fit(callId: string, text: string, limit?: number): Fitted;
  /** `read_result`, once there is something to read. */
  find(name: string): AnyTool | undefined;
}

/**
 * `hostLimit` is the longest result that the host takes, in characters; a tool cannot ask for more. `earlier` are those of
 * the session's runs before, of which the model was told how to read on.
 */
export function createCutResults(
  putArtifact: (content: string) => string,
  hostLimit: number,
  earlier: WholeResults = new Map(),
): CutResults {
  const whole = new Map(earlier);
  const readResult = createReadResultTool(whole, defaultMaxResultChars);
  return {
    fit(callId, text, limit = defaultMaxResultChars) {
      const cut = cutText(text, Math.min(limit, hostLimit));
      if (!cut) return { output: text };
      const artifact = putArtifact(text);
      const first = whole.size === 0;
      whole.set(callId, () => text);
      const marker =
        `[${cut.omitted} of ${text.length} characters are left out here. ` +
        `Call ${readResultName} with id "${callId}" and offset ${cut.head.length} to read on.]`;
      const output = `${cut.head}\n\n${marker}\n\n${cut.tail}`;
      return { output, artifact, ...(first ? { addedTool: declareTool(readResult) } : {}) };
    },
    find: (name) => (name === readResultName && whole.size > 0 ? readResult : undefined),
  };
}

/** How `read_result` is offered to a model from the first request on. */
export function declareReadResult(): ToolDeclaration {
  return declareTool(createReadResultTool(new Map(), defaultMaxResultChars));
}
