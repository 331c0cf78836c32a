import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";

export const root = fileURLToPath(new URL("..", import.meta.url));

const versions = z.record(z.string(), z.string()).default({});
const target = z.object({ "@bridle/source": z.string(), types: z.string(), default: z.string() });
const manifestSchema = z.object({
  name: z.string(),
  version: z.string(),
  /** Whether the package is not published, and its code is part of another package's bundle instead. */
  private: z.boolean().default(false),
  exports: z.record(z.string(), target),
  dependencies: versions,
  devDependencies: versions,
  peerDependencies: versions,
});

export interface Package extends z.output<typeof manifestSchema> {
  /** The absolute path of the package's folder. */
  readonly folder: string;
}

/** Reads the packages of this repository from their manifests. */
export function readPackages(): Package[] {
  return globSync("packages/{*,hosts/*,stores/*}/package.json", { cwd: root })
    .sort()
    .map((path) => {
      const file = join(root, path);
      return { ...manifestSchema.parse(JSON.parse(readFileSync(file, "utf8"))), folder: dirname(file) };
    });
}
