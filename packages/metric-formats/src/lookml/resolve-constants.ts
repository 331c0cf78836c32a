/** Replaces `@{name}` with the value of the manifest's constant. A name without a constant stays, and is refused where it is used. */
import type { LookmlBlock, LookmlParameter, LookmlValue } from "./lookml-tree.ts";

export function resolveConstants(files: readonly LookmlBlock[]): readonly LookmlBlock[] {
  const constants = new Map(
    files.flatMap((file) => file.blocks("constant")).map((each) => [each.name, each.text("value") ?? ""]),
  );
  if (constants.size === 0) return files;
  const replace = (text: string) => text.replace(/@\{(\w+)\}/g, (whole, name: string) => constants.get(name) ?? whole);
  return files.map((file) => inBlock(file, replace));
}

type Replace = (text: string) => string;

function inBlock(block: LookmlBlock, replace: Replace): LookmlBlock {
  const parameters = block.parameters.map(
    (each): LookmlParameter => ({ ...each, value: inValue(each.value, replace) }),
  );
  return block.with(parameters);
}

function inValue(value: LookmlValue, replace: Replace): LookmlValue {
  switch (value.kind) {
    case "text":
      return { kind: "text", text: replace(value.text) };
    case "list":
      return { kind: "list", items: value.items.map((item) => ({ ...item, text: replace(item.text) })) };
    case "block":
      return { kind: "block", block: inBlock(value.block, replace) };
  }
}
