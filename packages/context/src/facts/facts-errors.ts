import { ConfigError } from "@bridle/protocol";

/** A file with knowledge about databases cannot be read or written. Its contents can be measured again. */
export class FactsError extends ConfigError {}

/** Another process is scanning the connection. */
export class ScanRunningError extends FactsError {}
