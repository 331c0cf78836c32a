import { StoreError, StoreVersionError } from "@bridle/protocol";
import { z } from "zod";
import { type TestEvent, testEventSchema } from "../result/test-event.ts";

const newline = 0x0a;
/** The version that this Bridle writes, which is also the newest that it reads. */
const knownVersion = 1;
const versionSchema = z.object({ type: z.literal("begun"), version: z.number() });

type Begun = Extract<TestEvent, { type: "begun" }>;

export interface ReadEvents {
  readonly events: TestEvent[];
  /** The number of bytes up to the end of the last complete line. The rest is an incomplete line, which is ignored. */
  readonly length: number;
}

/**
 * Reads the events in a file.
 *
 * @throws StoreVersionError if a later Bridle wrote it, StoreError (`store_corrupt`) if a complete line is damaged.
 */
export function readEvents(bytes: Uint8Array, path: string): ReadEvents {
  const length = bytes.lastIndexOf(newline) + 1;
  const lines = Buffer.from(bytes.buffer, bytes.byteOffset, length).toString("utf8").split("\n").slice(0, -1);
  const [first, ...rest] = lines;
  if (first === undefined) return { events: [], length };
  const events = [readBeginning(first, path), ...rest.map((line, index) => readEvent(line, path, index + 2))];
  const again = events.findIndex(({ type }, index) => index > 0 && type === "begun");
  if (again > 0) throw damaged(path, again + 1, "it begins another file");
  return { events, length };
}

/** Reads the first event in a file. Throws like `readEvents`. */
export function readBeginning(line: string, path: string): Begun {
  const event = readEvent(line, path, 1);
  if (event.type === "begun") return event;
  throw damaged(path, 1, "it does not begin a file");
}

/** Parses one line. `number` counts from 1; it is missing for the last line if the lines before it were not counted. */
export function readEvent(line: string, path: string, number?: number): TestEvent {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (cause) {
    throw damaged(path, number, "it is not JSON", { cause });
  }
  const { version } = versionSchema.safeParse(value).data ?? {};
  if (version !== undefined && version > knownVersion) throw new StoreVersionError(path, version, knownVersion);
  const event = testEventSchema.safeParse(value);
  if (event.success) return event.data;
  const [issue] = event.error.issues;
  throw damaged(path, number, `${issue?.path.join(".") || "it"}: ${issue?.message}`, { cause: event.error });
}

function damaged(path: string, number: number | undefined, reason: string, options: ErrorOptions = {}): StoreError {
  const which = number === undefined ? "The last line" : `Line ${number}`;
  const message = `${which} of the results in ${path} is damaged: ${reason}. Move the file away, or remove that line from a copy.`;
  return new StoreError(message, path, { ...options, code: "store_corrupt" });
}
