import type { ToolKind } from "@bridle/protocol";

/** Finds the kind of an entry of `tools`. Throws an Error for an unknown type, which the check of the agent file should have refused. */
export function findKind({ type }: { readonly type: string }, kinds: readonly ToolKind[]): ToolKind {
  const found = kinds.find((kind) => kind.schema.shape.type?.safeParse(type).success);
  if (found) return found;
  throw new Error(`No kind of tools has the type ${type}.`);
}
