/** Reads the views and explores of a project, with refinements and extensions applied. */
import { type ImportReport, refuseImport } from "../import-report.ts";
import type { LookmlBlock } from "./lookml-tree.ts";
import { mergeBlocks } from "./merge-blocks.ts";
import { resolveConstants } from "./resolve-constants.ts";

export interface LookmlProject {
  readonly views: readonly LookmlBlock[];
  readonly explores: readonly LookmlBlock[];
  /** The parameters of model files and manifests. */
  readonly files: readonly LookmlBlock[];
  /** False if a file sets `case_sensitive: no`, so that case does not matter when strings are compared. */
  readonly isCaseSensitive: boolean;
}

export function collectProject(parsed: readonly LookmlBlock[], report: ImportReport): LookmlProject {
  const files = resolveConstants(parsed);
  return {
    files,
    views: resolveAll("view", files, report),
    explores: resolveAll("explore", files, report),
    isCaseSensitive: !files.some((file) => file.text("case_sensitive")?.toLowerCase() === "no"),
  };
}

function resolveAll(key: "view" | "explore", files: readonly LookmlBlock[], report: ImportReport) {
  const blocks = files.flatMap((file) => file.blocks(key));
  const declared = new Map<string, LookmlBlock>();
  for (const block of blocks.filter(({ name }) => !name.startsWith("+"))) {
    const isNew = !declared.has(block.name);
    if (isNew) declared.set(block.name, withoutDuplicates(block, report));
    else report.add("refused", block.subject, "Another one before it has the same name. Rename one.", block.position);
  }
  for (const block of blocks.filter(({ name }) => name.startsWith("+"))) {
    const refined = declared.get(block.name.slice(1));
    if (refined) declared.set(refined.name, mergeBlocks(refined, withoutDuplicates(block, report)));
    else report.add("refused", block.subject, "What it refines is not among the files. Add its file.", block.position);
  }
  const extensions = new Extensions(declared);
  return [...declared.values()].flatMap((block) => {
    const found = report.attempt(block.subject, block.position, () => extensions.resolve(block.name));
    return found && block.text("extension") !== "required" ? [found] : [];
  });
}

class Extensions {
  readonly #declared: ReadonlyMap<string, LookmlBlock>;
  readonly #done = new Map<string, LookmlBlock>();
  readonly #open: string[] = [];

  constructor(declared: ReadonlyMap<string, LookmlBlock>) {
    this.#declared = declared;
  }

  resolve(name: string): LookmlBlock {
    const done = this.#done.get(name);
    if (done) return done;
    if (this.#open.includes(name))
      refuseImport(`It extends itself: ${[...this.#open, name].join(", ")}. Break the cycle.`);
    const block =
      this.#declared.get(name) ?? refuseImport(`It extends "${name}", which is not among the files. Add it.`);
    this.#open.push(name);
    try {
      const lower = block.items("extends").map(({ text }) => withoutRequirement(this.resolve(text)));
      const merged = lower.reduce<LookmlBlock | undefined>(
        (below, each) => (below ? mergeBlocks(below, each) : each),
        undefined,
      );
      const whole = merged ? block.with(mergeBlocks(merged, block).parameters) : block;
      this.#done.set(name, whole);
      return whole;
    } finally {
      this.#open.pop();
    }
  }
}

function withoutRequirement(block: LookmlBlock): LookmlBlock {
  return block.with(block.parameters.filter(({ key }) => key !== "extension"));
}

const fieldKeys = ["dimension", "dimension_group", "measure", "filter", "parameter"];

/** Keeps the first of several fields or joins with the same name in one block. */
function withoutDuplicates(block: LookmlBlock, report: ImportReport): LookmlBlock {
  const seen = new Set<string>();
  const parameters = block.parameters.filter(({ key, value, position }) => {
    if (value.kind !== "block" || value.block.name === "") return true;
    const id = `${fieldKeys.includes(key) ? "field" : key} ${value.block.name}`;
    const isNew = !seen.has(id);
    seen.add(id);
    if (!isNew)
      report.add("refused", value.block.subject, "Another one before it has the same name. Rename one.", position);
    return isNew;
  });
  return block.with(parameters);
}
