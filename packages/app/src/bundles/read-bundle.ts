import { resolve } from "node:path";
import { createRedactor, openRegularFile, type Redactor } from "@bridle/core";
import { ConfigError, isBridleError, systemErrorCode } from "@bridle/protocol";
import { z } from "zod";
import type { AppContext } from "../context/app-context.ts";
import { type ProjectSelector, withProject } from "../context/project-context.ts";
import { readRange } from "./archive/spool-file.ts";
import { maxBytes } from "./bundle-limits.ts";
import { checkBundle } from "./check-bundle.ts";
import { type Manifest, manifestSchema } from "./manifest.ts";
import { formatSummary } from "./texts/summary-text.ts";

/** The result of checking a bundle. Contains no known credential. */
export const bundleReportSchema = z.strictObject({
  manifest: manifestSchema,
  /** The content of the bundle and a summary of its runs, as text. */
  description: z.string(),
  /** The bundle's problems; empty if it has none. */
  problems: z.array(z.string()),
});
export type BundleReport = z.output<typeof bundleReportSchema>;

/** Checks a bundle, and searches it for credentials that the project knows. Throws ConfigError if the file is not a bundle. */
export async function readBundle(name: string, selector: ProjectSelector, context: AppContext): Promise<BundleReport> {
  await using file = await openRegularFile(resolve(context.cwd, name), maxBytes).catch((cause: unknown) => {
    const code = systemErrorCode(cause);
    throw new ConfigError(`${name} cannot be read (${code}). Name a bundle after --check.`, { cause });
  });
  const redactor = await projectRedactor(selector, context);
  const { size } = await file.stat();
  const source = { size, stream: () => readRange(file, 0, size) };
  const { manifest, events, newest, problems } = await checkBundle(source, name, redactor);
  const summary = events > 0 ? `\n${formatSummary(newest)}` : "";
  const { text: redact } = redactor.known ?? redactor;
  return { manifest, description: redact(`${describeManifest(manifest)}${summary}`), problems: [...problems] };
}

/** Creates a redactor that knows the project's credentials, if the configuration can be read. */
async function projectRedactor(selector: ProjectSelector, context: AppContext): Promise<Redactor> {
  try {
    return (await withProject(selector, context)).project.redactor;
  } catch (error) {
    if (isBridleError(error)) return createRedactor({ environment: context.environment });
    throw error;
  }
}

function describeManifest({ of, madeAt, files, leftOut }: Manifest): string {
  const subject = of.kind === "project" ? "The project, without a run" : `The ${of.kind} ${of.id}`;
  const lines = [
    `${subject}, bundled at ${madeAt}`,
    `${files.length} files: ${files.map(({ path }) => path.replace(/([0-9a-f]{8})[0-9a-f]{56}/, "$1…")).join(", ")}`,
    ...leftOut.map(({ what, why }) => `left out: ${what}, because ${why}`),
  ];
  return `${lines.join("\n")}\n`;
}
