import type { ToolAnnotations } from "./tool.ts";

type Declared = { readonly [K in keyof ToolAnnotations]: ToolAnnotations[K] | undefined };

/** The effect of a tool in a few words, from its annotations. A tool that declares nothing may do anything. */
export function describeEffect({ readOnly, destructive, openWorld }: Declared): string {
  const outside = openWorld ? ", outside of this machine" : "";
  if (readOnly) return `only reads${outside}`;
  if (destructive === undefined) return "declares no effect: may do anything";
  return `${destructive ? "may destroy data" : "changes data"}${outside}`;
}
