import { BridleError, type BridleErrorOptions, type ErrorCode } from "./errors.ts";

/** The record on disk could not be read or written. What was written before stays as it is. */
export class StoreError extends BridleError {
  /** The file or folder that it is about. */
  readonly path: string;

  constructor(message: string, path: string, options: StoreErrorOptions = {}) {
    super(options.code ?? "store", message, options);
    this.path = path;
  }
}

interface StoreErrorOptions extends BridleErrorOptions {
  code?: ErrorCode;
  retryable?: boolean;
}

/** No space is left for the record. */
export class StoreFullError extends StoreError {
  constructor(path: string, options: BridleErrorOptions = {}) {
    const message = `There is no space left for the record in ${path}. Free some; what is on record stays readable.`;
    super(message, path, { ...options, code: "store_full", retryable: true });
  }
}

/** The record may be read, but not written. */
export class StoreReadOnlyError extends StoreError {
  constructor(path: string, options: BridleErrorOptions = {}) {
    const message = `The record cannot be written in ${path}. Let this user write there, or choose another project folder.`;
    super(message, path, { ...options, code: "store_read_only" });
  }
}

/** A part of the file is not what was written. Other parts stay readable, by range. */
export class StoreCorruptError extends StoreError {
  constructor(path: string, options: BridleErrorOptions = {}) {
    const message = `The record ${path} is damaged. Copy it before anything else; then move it away, and a new one is begun.`;
    super(message, path, { ...options, code: "store_corrupt" });
  }
}

/** The file was written by a later Bridle. It was not touched. */
export class StoreVersionError extends StoreError {
  readonly version: number;
  readonly known: number;

  constructor(path: string, version: number, known: number, options: BridleErrorOptions = {}) {
    const message = `The record ${path} has format ${version}, and this Bridle knows ${known} at most. Use a newer Bridle; the file was not touched.`;
    super(message, path, { ...options, code: "store_version" });
    this.version = version;
    this.known = known;
  }
}

/** Somebody else writes this session now, or writes the record and does not finish. */
export class StoreBusyError extends StoreError {
  /** The process that has the session; missing where the record as a whole is busy. */
  readonly holder?: number;

  constructor(message: string, path: string, { holder, ...options }: StoreBusyErrorOptions = {}) {
    super(message, path, { ...options, code: "store_busy", retryable: true });
    if (holder !== undefined) this.holder = holder;
  }
}

interface StoreBusyErrorOptions extends BridleErrorOptions {
  holder?: number;
}

/** What ends a run on record whose process went without writing its end. */
export class ProcessDiedError extends BridleError {
  constructor(pid: number, options: BridleErrorOptions = {}) {
    super("process_died", `The process ${pid} of this run ended before the run did. Start the run again.`, options);
  }
}
