// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is how the file refers to the environment
import { z } from "zod";

const name = z.string().regex(/^(?:[\p{L}_][\p{L}\p{N}_$]*|"(?:[^"]|"")+")$/u, {
  error: 'must be a name of letters, digits, _ and $, or one in double quotes, such as "my db".',
});
const folded = "Unless it is in double quotes, upper and lower case are the same.";

export const snowflakeSchema = z.strictObject({
  type: z.literal("snowflake").describe("Snowflake."),
  account: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9_.-]*$/, {
      error: "must be an account identifier, such as myorg-analytics, without the rest of the address.",
    })
    .describe("The account identifier, such as myorg-analytics."),
  user: z.string().min(1).exactOptional().describe("The login name of the user. Needed with a private key."),
  keyFile: z.string().min(1).exactOptional().describe("The file with the private key of the user, in PEM format."),
  key: z.string().min(1).exactOptional().describe("The content of such a file. Write it as ${NAME}."),
  passphrase: z.string().exactOptional().describe("The passphrase of an encrypted private key. Write it as ${NAME}."),
  token: z
    .string()
    .min(1)
    .exactOptional()
    .describe("A programmatic access token instead of a key. Write it as ${NAME}."),
  oauthToken: z
    .string()
    .min(1)
    .exactOptional()
    .describe("An OAuth access token instead of a key. Write it as ${NAME}."),
  database: name.describe(`The database with the schemas to read. ${folded}`),
  schema: name.exactOptional().describe(`The schema for names without one. ${folded}`),
  warehouse: name
    .exactOptional()
    .describe(`The warehouse that runs the statements. Default: the default of the user. ${folded}`),
  role: name
    .exactOptional()
    .describe(
      `The role of each statement, which should only be able to SELECT. Default: the default of the user. ${folded}`,
    ),
  endpoint: z
    .string()
    .min(1)
    .exactOptional()
    .describe(
      "The address of the account, such as that of a private link. Default: https://ACCOUNT.snowflakecomputing.com.",
    ),
});

export type SnowflakeConfig = z.output<typeof snowflakeSchema>;

/** Returns the address of an account. Certificates only cover names without underscores. */
export function snowflakeEndpoint({ account, endpoint }: Pick<SnowflakeConfig, "account" | "endpoint">): string {
  return endpoint ?? `https://${account.toLowerCase().replaceAll("_", "-")}.snowflakecomputing.com`;
}

export function describeSnowflake(config: SnowflakeConfig): string {
  const address = snowflakeEndpoint(config);
  const place = URL.canParse(address) ? new URL(address).host : config.account;
  const names = [config.database, ...(config.schema === undefined ? [] : [config.schema])];
  return [place, ...names.map(storedName)].join("/");
}

/** Returns the name as Snowflake stores it. */
export function storedName(name: string): string {
  return name.startsWith('"') ? name.slice(1, -1).replaceAll('""', '"') : name.toUpperCase();
}
