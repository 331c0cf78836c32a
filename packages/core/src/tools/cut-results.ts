import {
  type AnyTool,
  type BackendFeatures,
  cutText,
  type Excerpt,
  pairStart,
  type ToolDeclaration,
  type ToolReply,
} from "@bridle/protocol";
import { createReadResultTool, readResultName, type WholeResults } from "./read-result.ts";
import { declareTool, type Toolbox } from "./toolbox.ts";

const defaultMaxResultChars = 40_000;

/**
 * The maximum number of stored characters of a result, and approximately of its structured data. No model reads more. Without a limit,
 * redacting and writing a result of a hundred megabytes would block the program for seconds.
 */
export const maxStoredChars = 2_000_000;

type Fitted = Pick<ToolReply, "output" | "addedTool"> & {
  artifact?: string;
  /** The parts of a longer string that the output shows. */
  excerpts?: readonly Excerpt[];
};

/** The truncated results of one run, and the tool that reads the rest. */
export interface CutResults {
  /**
   * Returns the text if it is short enough. Otherwise stores it, and returns its beginning, its end, a note on how to read on, and the id
   * of the stored text.
   */
  fit(callId: string, text: string, limit?: number): Fitted;
  /** Returns `read_result`, once there is something to read or if the model had the tool from the start. */
  find(name: string): AnyTool | undefined;
}

export interface CutResultsOptions {
  /** The longest result that the host accepts, in characters. */
  maxResultChars: number;
  /** The truncated results of the session's earlier runs. The model may still read these results. */
  earlierResults?: WholeResults | undefined;
  /** Whether the model had `read_result` from the start. Default: false. */
  offersResultsAtOnce?: boolean | undefined;
}

export function createCutResults(
  putArtifact: (content: string) => string,
  { maxResultChars, earlierResults = new Map(), offersResultsAtOnce = false }: CutResultsOptions,
): CutResults {
  const whole = new Map(earlierResults);
  const pages = new Map<string, Excerpt>();
  const readResult = createReadResultTool(whole, defaultMaxResultChars, (callId, page) => pages.set(callId, page));
  return {
    fit(callId, text, limit = defaultMaxResultChars) {
      const page = pages.get(callId);
      pages.delete(callId);
      const cut = cutText(text, Math.min(limit, maxResultChars));
      if (!cut) return { output: text, ...(page && { excerpts: [page] }) };
      const stored = text.slice(0, pairStart(text, maxStoredChars));
      const artifact = putArtifact(stored);
      const first = whole.size === 0 && !offersResultsAtOnce;
      whole.set(callId, async () => stored);
      const lost = stored.length < text.length ? ` Only the first ${stored.length} were kept.` : "";
      const marker =
        `[${cut.omitted} of ${text.length} characters are left out here.${lost} ` +
        `Call ${readResultName} with id "${callId}" and offset ${cut.head.length} to read on.]`;
      const output = `${cut.head}\n\n${marker}\n\n${cut.tail}`;
      const excerpts = [
        { whole: text, start: 0, end: cut.head.length },
        { whole: text, start: text.length - cut.tail.length, end: text.length },
      ];
      return { output, artifact, excerpts, ...(first ? { addedTool: declareTool(readResult) } : {}) };
    },
    find: (name) => (name === readResultName && (offersResultsAtOnce || whole.size > 0) ? readResult : undefined),
  };
}

/**
 * Declares the tools of a run. `read_result` is among them if the model got a truncated result in an earlier run and may read the rest, or
 * if the host cannot add a tool later and a result may be cut.
 */
export function declareTools(
  toolbox: Toolbox,
  hasEarlierResults: boolean,
  { offersLater = true }: Pick<BackendFeatures, "offersLater">,
): readonly ToolDeclaration[] {
  const { declarations, find } = toolbox;
  const mayCut = declarations.some(({ name }) => find(name)?.maxResultChars !== Number.POSITIVE_INFINITY);
  if (!hasEarlierResults && (offersLater || !mayCut)) return declarations;
  return [...declarations, declareTool(createReadResultTool(new Map(), defaultMaxResultChars))];
}
