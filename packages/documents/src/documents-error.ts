import { ConfigError } from "@bridle/protocol";

/** A search or configuration that cannot work. The message contains the reason and the remedy. */
export class DocumentsError extends ConfigError {}
