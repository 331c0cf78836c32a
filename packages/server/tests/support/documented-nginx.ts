import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Reads the nginx configurations in the guide. */
export function serverBlocks(): readonly string[] {
  const guide = readFileSync(join(import.meta.dirname, "../../../../docs/guides/servers/serving.md"), "utf8");
  return [...guide.matchAll(/^```text\n(server \{\n[\s\S]*?^\})\n```$/gm)].map(([, block = ""]) => block);
}
