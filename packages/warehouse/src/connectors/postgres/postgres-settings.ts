// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is how the file refers to the environment
/** The settings of a PostgreSQL connection, and the account that they describe. */

import { resolve } from "node:path";
import { readTextFileSync } from "@bridle/core";
import { ConfigError } from "@bridle/protocol";
import { z } from "zod";
import type { ServerAccount } from "./session/server-pool.ts";

const sslModes = ["disable", "prefer", "require", "verify-ca", "verify-full"] as const;
export type SslMode = (typeof sslModes)[number];

export const postgresSchema = z.strictObject({
  type: z.literal("postgres"),
  url: z
    .string()
    .min(1)
    .exactOptional()
    .describe(
      "The address, such as postgresql://reader@db.example:5432/shop?sslmode=verify-full, instead of the keys below.",
    ),
  host: z.string().min(1).exactOptional().describe("A host name, or the folder of a Unix socket. Default: localhost."),
  port: z.int().min(1).max(65535).exactOptional().describe("Default: 5432."),
  database: z.string().min(1).exactOptional().describe("The name of the database. Default: the name of the user."),
  user: z.string().min(1).exactOptional().describe("The account, which should only be able to read."),
  password: z.string().exactOptional().describe("The password. Write it as ${NAME}."),
  sslmode: z
    .enum(sslModes)
    .exactOptional()
    .describe(
      "disable: no TLS. prefer: TLS if the server offers it. require: always TLS. verify-ca: also checks the certificate. verify-full: also checks the host name. Default: prefer.",
    ),
  sslrootcert: z
    .string()
    .min(1)
    .exactOptional()
    .describe("A file with the certificates of trusted authorities. Default: the authorities of Node.js."),
  functions: z
    .array(z.string().regex(/^[^.]+\.[^.]+$/, "write schema.name"))
    .exactOptional()
    .describe("Functions of the database, as schema.name, that statements may call. They could read any table."),
});
export type PostgresSettings = z.output<typeof postgresSchema>;

export interface PostgresAddress extends Omit<ServerAccount, "tls"> {
  readonly sslmode: SslMode;
  readonly sslrootcert: string | undefined;
}

/** @throws ConfigError if the URL cannot be parsed or the user is missing. */
export function readAddress(settings: PostgresSettings): PostgresAddress {
  const given = { ...(settings.url === undefined ? {} : readUrl(settings.url)), ...settings };
  const { host = "localhost", port = 5432, user, password = "", sslmode = "prefer", sslrootcert } = given;
  if (user === undefined)
    throw new ConfigError("A connection of type postgres has no user. Set user, or name it in the url.");
  const { database = user } = given;
  const place = `${host}:${port}/${database}`;
  return { host, port, user, password, database, place, sslmode, sslrootcert };
}

const querySchema = z.strictObject({
  host: z.string().exactOptional(),
  sslmode: z.enum(sslModes).exactOptional(),
  sslrootcert: z.string().exactOptional(),
});

function readUrl(text: string): Partial<Omit<PostgresAddress, "place">> {
  if (!URL.canParse(text) || !/^postgres(ql)?:$/.test(new URL(text).protocol))
    throw new ConfigError(
      "The url of a connection of type postgres is not postgresql://user@host:port/database. Correct it.",
    );
  const url = new URL(text);
  const query = querySchema.safeParse(Object.fromEntries(url.searchParams));
  if (!query.success) {
    const names = [...url.searchParams.keys()].filter((name) => name !== "host").join(", ");
    throw new ConfigError(
      `The url of a connection of type postgres has parameters that cannot be used: ${names}. Use sslmode (${sslModes.join(", ")}), sslrootcert and host only.`,
    );
  }
  const host = query.data.host ?? decodeURIComponent(url.hostname).replace(/^\[(.*)\]$/, "$1");
  return {
    ...(host !== "" && { host }),
    ...(url.port !== "" && { port: Number(url.port) }),
    ...(url.username !== "" && { user: decodeURIComponent(url.username) }),
    ...(url.password !== "" && { password: decodeURIComponent(url.password) }),
    ...(url.pathname.length > 1 && { database: decodeURIComponent(url.pathname.slice(1)) }),
    ...(query.data.sslmode !== undefined && { sslmode: query.data.sslmode }),
    ...(query.data.sslrootcert !== undefined && { sslrootcert: query.data.sslrootcert }),
  };
}

/**
 * Returns the TLS settings. The modes mean what they mean in libpq: `prefer` and `require` encrypt, but check the certificate only if a
 * root certificate is set.
 */
export function tlsOptions({ sslmode, sslrootcert }: PostgresAddress, projectDir: string): ServerAccount["tls"] {
  if (sslmode === "disable") return undefined;
  const ca = sslrootcert === undefined ? undefined : readAuthority(resolve(projectDir, sslrootcert));
  const given = ca === undefined ? {} : { ca };
  if (sslmode === "verify-full") return { ...given };
  if (sslmode === "verify-ca" || ca !== undefined) return { ...given, checkServerIdentity: () => undefined };
  return { rejectUnauthorized: false };
}

function readAuthority(file: string): string {
  try {
    return readTextFileSync(file);
  } catch (cause) {
    throw new ConfigError(`The file ${file} of sslrootcert cannot be read. Correct its path.`, { cause });
  }
}

/** Returns the database's address without credentials. The URL may still be a reference such as ${NAME}. */
export function describePlace(settings: PostgresSettings): string {
  try {
    return readAddress(settings).place;
  } catch {
    return "the database in url";
  }
}
