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
 * The characters of a result that are stored, and about those of its structured data, more than any model reads. Without a limit, a result of a hundred megabytes
 * would occupy the program for seconds while it is redacted and written.
 */
export const maxStoredChars = 2_000_000;

type Fitted = Pick<ToolReply, "output" | "addedTool"> & {
  artifact?: string;
  /** The parts of a longer text that the output shows. */
  excerpts?: readonly Excerpt[];
};

/** The truncated results of one run, and the tool that reads the rest. */
export interface CutResults {
  /** The text itself if it is short enough. Otherwise head, tail, a note on how to read on, and the artifact's id. */
  fit(callId: string, text: string, limit?: number): Fitted;
  /** `read_result`, once there is something to read or if the model had it from the start. */
  find(name: string): AnyTool | undefined;
}

export interface CutResultsOptions {
  /** The longest result that the host accepts, in characters. */
  maxResultChars: number;
  /** The truncated results of the session's earlier runs, which the model may still read. */
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
 * The tools of a run. A model that got a truncated result in an earlier run may still read the rest of it. If a host offers
 * no tool later, its model gets the tool for this as soon as a result may be cut.
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
