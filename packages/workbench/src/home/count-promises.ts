import type { ApiAgent } from "@bridle/client";

type Tools = NonNullable<ApiAgent["details"]>["tools"];

/** Counts the tools that only read, that change data, and that may destroy data. */
export function countPromises(tools: Tools): string {
  if (tools.length === 0) return "no tools";
  const reading = tools.filter(({ annotations }) => annotations.readOnly).length;
  const destroying = tools.filter(({ annotations: { readOnly, destructive } }) => !readOnly && destructive).length;
  const changing = tools.length - reading - destroying;
  const parts = [
    reading > 0 && `${reading} that only ${reading === 1 ? "reads" : "read"}`,
    changing > 0 && `${changing} that ${changing === 1 ? "changes" : "change"} data`,
    destroying > 0 && `${destroying} that may destroy data`,
  ];
  return `${tools.length === 1 ? "1 tool" : `${tools.length} tools`}: ${parts.filter(Boolean).join(", ")}`;
}
