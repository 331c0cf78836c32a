/** `bridle metrics export`: writes the models in `context/models` in the format of another tool. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { describeUnreadable, readOwnText } from "@bridle/context";
import { metricExports } from "@bridle/metric-formats";
import { ConfigError, formatPosition, suggestion, systemErrorCode } from "@bridle/protocol";
import { type ModelFile, parseModelFiles, type SemanticModel } from "@bridle/semantic";
import { z } from "zod";
import type { ProjectContext } from "../context/project-context.ts";
import { claimOutput } from "../files/output-file.ts";

/** The formats that can be written, by name. */
export const metricExportFormats: readonly string[] = metricExports.map(({ id }) => id);

export const exportedMetricsSchema = z.strictObject({
  /** The format, such as `osi`. */
  format: z.string(),
  models: z.int(),
  text: z.string(),
  /** The file that was written; null if no file was named. */
  output: z.string().nullable(),
  findings: z
    .array(
      z.strictObject({
        kind: z.enum(["refused", "changed"]),
        model: z.string(),
        /** The part that is not exported exactly, such as `measure revenue`; null for the model itself. */
        field: z.string().nullable(),
        reason: z.string(),
      }),
    )
    .readonly(),
  refused: z.int(),
  changed: z.int(),
});
export type ExportedMetrics = z.output<typeof exportedMetricsSchema>;

export interface ExportMetricsOptions {
  /** The format. */
  readonly to: string;
  /** The file to write. Default: no file is written. */
  readonly output?: string | undefined;
  /** Whether an existing file may be replaced. */
  readonly force?: boolean | undefined;
}

/** Exports the models. Opens no connection. Throws ConfigError if a model is invalid, there is none, or the file cannot be written. */
export async function exportMetrics(
  { to, output, force = false }: ExportMetricsOptions,
  { project, cwd }: Pick<ProjectContext, "project" | "cwd">,
): Promise<ExportedMetrics> {
  const format = metricExports.find(({ id }) => id === to);
  if (!format) {
    const known = `Formats: ${metricExportFormats.join(", ")}.`;
    throw new ConfigError(`There is no format ${to}.${suggestion(to, metricExportFormats)} ${known}`, {});
  }
  const models = await readModels(project.projectDir);
  const file = output === undefined ? undefined : await claimOutput(output, { cwd, flag: "--output", force });
  const { text, findings } = format.write(models);
  await file?.write(text);
  const countOf = (kind: "refused" | "changed") => findings.filter((each) => each.kind === kind).length;
  return exportedMetricsSchema.parse({
    format: format.id,
    models: models.length,
    text,
    output: output ?? null,
    findings: findings.map(({ field = null, ...finding }) => ({ ...finding, field })),
    refused: countOf("refused"),
    changed: countOf("changed"),
  });
}

function readModel(file: string, projectDir: string): ModelFile {
  try {
    return { file, text: readOwnText(join(projectDir, file), projectDir) };
  } catch (cause) {
    throw new ConfigError(describeUnreadable(file, cause), {
      field: "context/models",
      cause,
    });
  }
}

async function readModels(projectDir: string): Promise<readonly SemanticModel[]> {
  const folder = join(projectDir, "context", "models");
  const names = await readdir(folder).catch((error: unknown) => {
    if (systemErrorCode(error) === "ENOENT") return [];
    throw error;
  });
  const files: ModelFile[] = [];
  for (const name of names.filter((each) => /^[^.].*\.ya?ml$/.test(each)).toSorted())
    files.push(readModel(`context/models/${name}`, projectDir));
  const { models, problems } = parseModelFiles(files);
  const [first] = problems;
  if (first) throw new ConfigError(`${formatPosition(first.position)}: ${first.message}`, { field: "context/models" });
  if (models.length === 0)
    throw new ConfigError("There are no models. Write one to context/models/NAME.yaml.", { field: "context/models" });
  return models;
}
