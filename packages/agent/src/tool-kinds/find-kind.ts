import type { ToolKind } from "@bridle/protocol";

/** The kind of an entry of `tools`. Throws an Error for a type that the agent's file should not have passed with. */
export function findKind({ type }: { readonly type: string }, kinds: readonly ToolKind[]): ToolKind {
  const found = kinds.find((kind) => kind.schema.shape.type?.safeParse(type).success);
  if (found) return found;
  throw new Error(`No kind of tools has the type ${type}.`);
}
