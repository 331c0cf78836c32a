import { z } from "zod";

export const mysqlSchema = z.strictObject({
  type: z.literal("mysql").describe("MySQL or MariaDB."),
  host: z.string().min(1).exactOptional().describe("The host of the server. Default: localhost."),
  port: z.int().min(1).max(65_535).exactOptional().describe("Its port. Default: 3306."),
  socket: z.string().min(1).exactOptional().describe("The path of the server's Unix socket, instead of host and port."),
  user: z.string().min(1).describe("The account, which should only have the privilege SELECT."),
  password: z.string().exactOptional().describe("Its password. Name a variable, so that the file contains none."),
  database: z
    .string()
    .min(1)
    .exactOptional()
    .describe("The database for names without one. Default: each table is named with its database."),
  tls: z
    .enum(["off", "required", "verified"])
    .exactOptional()
    .describe(
      "Whether the connection is encrypted: `verified` also checks the server's certificate and name, `required` does not. Default: off for this machine and sockets, verified for others.",
    ),
  ca: z
    .string()
    .min(1)
    .exactOptional()
    .describe("A file with the certificate of the authority that signed the server's, as PEM."),
});

export type MySqlConfig = z.output<typeof mysqlSchema>;

const localHosts = new Set(["localhost", "127.0.0.1", "::1"]);

export function tlsMode({ host = "localhost", socket, tls }: MySqlConfig): "off" | "required" | "verified" {
  return tls ?? (socket !== undefined || localHosts.has(host) ? "off" : "verified");
}

export function describeMySql({ host = "localhost", port = 3306, socket, database }: MySqlConfig): string {
  const place = socket ?? `${host}:${port}`;
  return database === undefined ? place : `${place}/${database}`;
}
