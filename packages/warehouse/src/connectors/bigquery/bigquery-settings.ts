// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is how the file refers to the environment
import { z } from "zod";

const project = z.string().regex(/^[a-z][a-z0-9.:-]*$/, "must be the id of a project, such as shop-data.");

/** The default limit: 10 GB, which cost about six cents with on-demand pricing. */
export const defaultBytesBilled = 10_000_000_000;

export const bigquerySchema = z.strictObject({
  type: z.literal("bigquery").describe("Google BigQuery."),
  project: project.describe("The id of the project that runs and pays for the statements. Its datasets are schemas."),
  projects: z
    .array(project)
    .min(1)
    .exactOptional()
    .describe(
      "Other projects with datasets to read, such as bigquery-public-data. Their schemas are named project.dataset.",
    ),
  location: z
    .string()
    .min(1)
    .exactOptional()
    .describe("The location of the statements, such as EU. Default: the location of their datasets."),
  keyFile: z.string().min(1).exactOptional().describe("The file with the JSON key of a service account."),
  key: z.string().min(1).exactOptional().describe("The content of such a file. Write it as ${NAME}."),
  token: z.string().min(1).exactOptional().describe("An access token instead of a key. Write it as ${NAME}."),
  maximumBytesBilled: z
    .int()
    .min(1)
    .exactOptional()
    .describe(`The maximum number of bytes to bill for one statement. Default: ${defaultBytesBilled}.`),
  endpoint: z
    .string()
    .min(1)
    .exactOptional()
    .describe("The address of the API, such as that of a private endpoint. Default: https://bigquery.googleapis.com."),
});

export type BigQueryConfig = z.output<typeof bigquerySchema>;

export function describeBigQuery({ project, endpoint }: BigQueryConfig): string {
  if (endpoint === undefined) return `bigquery.googleapis.com/${project}`;
  return URL.canParse(endpoint) ? `${new URL(endpoint).host}/${project}` : project;
}
