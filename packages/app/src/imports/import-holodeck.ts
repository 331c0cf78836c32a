/** Changes a HoloDeck agent file so that it means the same in Bridle. */
import { importBlocks } from "./holodeck-agent.ts";
import { type HolodeckConfig, importConfig, readHolodeckConfig } from "./holodeck-config.ts";
import { importModels } from "./holodeck-models.ts";
import { removeNulls } from "./holodeck-nulls.ts";
import { importTests } from "./holodeck-tests.ts";
import { importTools } from "./holodeck-tools.ts";
import { removeTools } from "./holodeck-unsupported-tools.ts";
import { type Edit, YamlEdits } from "./yaml-edits.ts";

export interface ImportedText {
  readonly text: string;
  /** The changes in the order of the original file. New entries come last. */
  readonly edits: readonly Edit[];
}

/**
 * Changes an agent file. `config` is HoloDeck's `config.yaml`, and `cases` is the file of the imported cases, if they had to change. Throws
 * an Error if the text is not a YAML mapping.
 */
export function importHolodeckAgent(
  text: string,
  config: HolodeckConfig = readHolodeckConfig(""),
  cases?: string,
): ImportedText {
  return edit(text, (file) => {
    if (cases !== undefined) file.set(["test_cases_file"], cases, "the cases had to change, too.");
    removeNulls(file);
    importConfig(file, config);
    importModels(file);
    importTools(file, config.vectorstores);
    importBlocks(file);
    importTests(file);
    removeTools(file); // last, because other rules name tools by their position
  });
}

/** Changes a test case file, which is a list or a mapping with `test_cases`. */
export function importHolodeckCases(text: string): ImportedText {
  const isList = new YamlEdits(text).fault !== undefined;
  return edit(text, (file) => importTests(file, isList ? [] : ["test_cases"]), isList);
}

function edit(text: string, change: (file: YamlEdits) => void, isList = false): ImportedText {
  const file = new YamlEdits(text);
  if (file.fault !== undefined && !isList) throw new Error(file.fault);
  change(file);
  const last = (line: number) => (line === 0 ? Number.POSITIVE_INFINITY : line);
  return { text: file.toString(), edits: file.edits.toSorted((a, b) => last(a.line) - last(b.line) || 0) };
}
