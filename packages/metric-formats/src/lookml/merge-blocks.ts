/** Merges blocks: refinements into a view, and a view into the views that it extends. */
import type { LookmlBlock, LookmlParameter } from "./lookml-tree.ts";

/** Merges blocks with the same key and name. All other parameters of the upper block replace those of the lower block with the same key. */
export function mergeBlocks(lower: LookmlBlock, upper: LookmlBlock): LookmlBlock {
  return upper.with(mergeParameters(lower.parameters, upper.parameters), lower.name);
}

function mergeParameters(
  lower: readonly LookmlParameter[],
  upper: readonly LookmlParameter[],
): readonly LookmlParameter[] {
  const replaced = new Set(upper.filter((each) => !hasName(each)).map(({ key }) => key));
  const named = new Map(upper.flatMap((each) => (hasName(each) ? [[idOf(each), each] as const] : [])));
  const kept = lower.flatMap((each) => {
    if (!hasName(each)) return replaced.has(each.key) ? [] : [each];
    const over = named.get(idOf(each));
    named.delete(idOf(each));
    return [over ? mergeParameter(each, over) : each];
  });
  const added = upper.filter((each) => !hasName(each) || named.has(idOf(each)));
  return [...kept, ...added];
}

function mergeParameter(lower: LookmlParameter, upper: LookmlParameter): LookmlParameter {
  if (lower.value.kind !== "block" || upper.value.kind !== "block") return upper;
  const { position, parameters } = upper.value.block;
  const block = lower.value.block.with(mergeParameters(lower.value.block.parameters, parameters));
  return { ...upper, position, value: { kind: "block", block } };
}

function hasName({ value }: LookmlParameter): boolean {
  return value.kind === "block" && value.block.name !== "";
}

function idOf({ key, value }: LookmlParameter): string {
  return `${key} ${value.kind === "block" ? value.block.name : ""}`;
}
