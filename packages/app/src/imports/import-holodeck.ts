/** Changes an agent's file of HoloDeck so that it means the same in Bridle. */
import { importBlocks } from "./holodeck-agent.ts";
import { importModels } from "./holodeck-models.ts";
import { importTests } from "./holodeck-tests.ts";
import { importTools, type NamedStores } from "./holodeck-tools.ts";
import { type Edit, YamlEdits } from "./yaml-edits.ts";

export interface ImportedText {
  readonly text: string;
  /** In the order of the original file; new entries come last. */
  readonly edits: readonly Edit[];
}

/**
 * An agent's file. `stores` are the `vectorstores` of HoloDeck's `config.yaml`, and `cases` is the file of the imported cases, if
 * they had to change. Throws an Error if the text is not a mapping in YAML.
 */
export function importHolodeckAgent(text: string, stores: NamedStores = {}, cases?: string): ImportedText {
  return edit(text, (file) => {
    if (cases !== undefined) file.set(["test_cases_file"], cases, "the cases had to change, too.");
    importModels(file);
    importTools(file, stores);
    importBlocks(file);
    importTests(file);
  });
}

/** A file of test cases: a list, or a mapping with `test_cases`. */
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
