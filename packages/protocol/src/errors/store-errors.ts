import { BridleError, type BridleErrorOptions, type ErrorCode } from "./errors.ts";

/** The event log on disk could not be read or written. Earlier events are unchanged. */
export class StoreError extends BridleError {
  /** The file or folder of the log. */
  readonly path: string;

  constructor(message: string, path: string, options: StoreErrorOptions = {}) {
    super(options.code ?? "store", message, options);
    this.path = path;
  }
}

export interface StoreErrorOptions extends BridleErrorOptions {
  code?: ErrorCode;
  retryable?: boolean;
}

/** No disk space is left for the event log. */
export class StoreFullError extends StoreError {
  constructor(path: string, options: BridleErrorOptions = {}) {
    const message = `No disk space is left for the event log in ${path}. Free some; the events so far stay readable.`;
    super(message, path, { ...options, code: "store_full", retryable: true });
  }
}

/** The event log can be read, but not written. */
export class StoreReadOnlyError extends StoreError {
  constructor(path: string, options: BridleErrorOptions = {}) {
    const message = `The event log in ${path} cannot be written. Give this user write access, or choose another project folder.`;
    super(message, path, { ...options, code: "store_read_only" });
  }
}

/** Part of the file is damaged. Undamaged ranges of events can still be read. */
export class StoreCorruptError extends StoreError {
  constructor(path: string, options: BridleErrorOptions = {}) {
    const message = `The event log ${path} is damaged. Make a copy first; then move it away, and a new one is created.`;
    super(message, path, { ...options, code: "store_corrupt" });
  }
}

/** A later version of Bridle wrote the file. It was not changed. */
export class StoreVersionError extends StoreError {
  readonly version: number;
  readonly known: number;

  constructor(path: string, version: number, known: number, options: BridleErrorOptions = {}) {
    const message = `The event log ${path} has format ${version}, but this version of Bridle supports at most ${known}. Use a newer version; nothing was changed.`;
    super(message, path, { ...options, code: "store_version" });
    this.version = version;
    this.known = known;
  }
}

/** Another process writes to this session, or blocks the event log. */
export class StoreBusyError extends StoreError {
  /** The owner of the session, such as `the process 4711`. Missing if the whole event log is busy. */
  readonly holder?: string;

  constructor(message: string, path: string, { holder, ...options }: StoreBusyErrorOptions = {}) {
    super(message, path, { ...options, code: "store_busy", retryable: true });
    if (holder !== undefined) this.holder = holder;
  }
}

export interface StoreBusyErrorOptions extends BridleErrorOptions {
  holder?: string;
}

/** Ends a run after its process died before it could log the end. */
export class ProcessDiedError extends BridleError {
  /** `owner` describes the process, such as `the process 4711`. */
  constructor(owner: string, options: BridleErrorOptions = {}) {
    super(
      "process_died",
      `${owner.charAt(0).toUpperCase()}${owner.slice(1)} of this run ended before the run did. Start the run again.`,
      options,
    );
  }
}
