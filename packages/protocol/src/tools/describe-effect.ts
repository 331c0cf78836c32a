import { omitUndefined } from "../text/omit-undefined.ts";
import { resolveAnnotations, type ToolAnnotations } from "./tool-annotations.ts";

type Declared = { readonly [K in keyof ToolAnnotations]: ToolAnnotations[K] | undefined };

/** Describes the effect of a tool in a few words, for the user who is asked. A tool without declared annotations may do anything. */
export function describeEffect({ readOnly, destructive, idempotent, openWorld }: Declared): string {
  const known = resolveAnnotations(omitUndefined({ readOnly, destructive, idempotent, openWorld }));
  const outside = known.openWorld ? ", outside of this machine too" : "";
  if (known.readOnly) return `only reads${outside}`;
  return `${known.destructive ? "may destroy data" : "changes data"}${outside}`;
}
