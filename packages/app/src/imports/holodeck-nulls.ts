/** Removes settings that are `null`, which HoloDeck treats as missing. */
import type { YamlEdits } from "./yaml-edits.ts";

type Path = readonly (string | number)[];

const ofModel: readonly Path[] = [["model"], ["embedding_provider"], ["evaluations", "model"]];

const holders: readonly Path[] = [
  [],
  ...ofModel,
  ["evaluations"],
  ["evaluations", "metrics", "*"],
  ["tools", "*"],
  ["tools", "*", "context_model"],
  ["claude"],
  ["execution"],
  ["observability"],
  ["observability", "exporters"],
  ["test_cases", "*"],
  ["test_cases", "*", "turns", "*"],
];

export function removeNulls(file: YamlEdits): void {
  for (const path of holders.flatMap((holder) => file.find([...holder, "*"]))) {
    if (file.get(path) === null && path[0] !== "response_format")
      file.remove(path, "null is the same as leaving it out.");
  }
}
