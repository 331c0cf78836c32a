import { ConfigError } from "@bridle/protocol";

/** The ingest store cannot be read or written. Its content can be fetched and asked again. */
export class IngestStoreError extends ConfigError {}

/** Another process is ingesting into the same project. */
export class IngestRunningError extends IngestStoreError {}
