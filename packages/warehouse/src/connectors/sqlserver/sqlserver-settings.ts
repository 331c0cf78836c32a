import { z } from "zod";

export const sqlserverSchema = z.strictObject({
  type: z.literal("sqlserver").describe("SQL Server or Azure SQL."),
  host: z.string().min(1).describe("The host of the server."),
  port: z.int().min(1).max(65_535).exactOptional().describe("Its port. Default: 1433."),
  user: z.string().min(1).describe("The login, which should only be a member of db_datareader."),
  password: z.string().describe("Its password. Name a variable, so that the file contains none."),
  database: z.string().min(1).describe("The database."),
  tls: z
    .enum(["off", "required", "verified"])
    .exactOptional()
    .describe(
      "Whether the connection is encrypted: `verified` also checks the server's certificate, `required` does not. Default: verified.",
    ),
});

export type SqlServerConfig = z.output<typeof sqlserverSchema>;

export function describeSqlServer({ host, port = 1433, database }: SqlServerConfig): string {
  return `${host}:${port}/${database}`;
}
