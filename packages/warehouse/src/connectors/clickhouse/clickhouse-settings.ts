import { z } from "zod";

export const clickhouseSchema = z.strictObject({
  type: z.literal("clickhouse").describe("ClickHouse or ClickHouse Cloud."),
  host: z.string().min(1).describe("The host of the server."),
  port: z.int().min(1).max(65_535).exactOptional().describe("Its HTTP port. Default: 8443, or 8123 without TLS."),
  user: z.string().min(1).describe("The user, who should only be able to SELECT."),
  password: z.string().describe("Its password. Name a variable, so that the file contains none."),
  database: z
    .string()
    .min(1)
    .exactOptional()
    .describe("The database for names without one. Default: the default of the user."),
  tls: z
    .enum(["off", "verified"])
    .exactOptional()
    .describe("Whether to encrypt the connection and check the server's certificate. Default: verified."),
});

export type ClickHouseConfig = z.output<typeof clickhouseSchema>;

export function describeClickHouse({ host, port, database, tls }: ClickHouseConfig): string {
  const place = `${host}:${port ?? (tls === "off" ? 8123 : 8443)}`;
  return database === undefined ? place : `${place}/${database}`;
}
