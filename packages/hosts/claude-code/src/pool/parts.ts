import type { HostProcess } from "../process/host-process.ts";
import { openHostProcess } from "../process/sdk-host-process.ts";
import { createIdentity } from "./identity.ts";
import type { ProcessRequest } from "./process-source.ts";
import { residentMemoryOf } from "./resident-memory.ts";

/** The functions with effects that a pool uses. Tests replace them. */
export interface PoolParts {
  open(request: ProcessRequest): HostProcess;
  /** Returns the kind of process that a request needs, regardless of the history that it continues. */
  identityOf(request: ProcessRequest): Promise<string>;
  /** Returns the memory of a process in bytes; undefined if the system does not report it. */
  memoryOf(pid: number): Promise<number | undefined>;
}

export function realPoolParts(): PoolParts {
  return { open: openHostProcess, identityOf: createIdentity(), memoryOf: residentMemoryOf };
}
