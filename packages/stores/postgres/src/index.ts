export { describeDatabase } from "./database/log-database.ts";
export { openPostgresEventLog, type PostgresEventLog, type PostgresEventLogOptions } from "./open-event-log.ts";
