import { ConfigError } from "@bridle/protocol";

/** What is wrong with how documents are asked for, in a sentence with the way out. */
export class DocumentsError extends ConfigError {}
