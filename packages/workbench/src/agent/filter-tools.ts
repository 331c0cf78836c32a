import type { ApiAgent } from "@bridle/client";
import { describePromises } from "../questions/describe-promises.ts";

export type DescribedTool = NonNullable<ApiAgent["details"]>["tools"][number];

/** Finds the tools that contain each word of a text in their name, description, source or annotations. */
export function filterTools(tools: readonly DescribedTool[], text: string): readonly DescribedTool[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return tools.filter(({ name, description, source, annotations }) => {
    const all = [name, description, source, describePromises(annotations)].join(" ").toLowerCase();
    return words.every((word) => all.includes(word));
  });
}
