import { ConfigError, omitUndefined, systemErrorCode } from "@bridle/protocol";
import type { RecordedRequest, Rehearsal, RehearsalFailure } from "@bridle/rehearsal";
import type { AppContext } from "../context/app-context.ts";
import { readText } from "../files/read-text.ts";

/** Serves a script or a cassette on this machine. `port` defaults to a free port. Throws ConfigError. */
export async function openRehearsal(
  file: string,
  port: number | undefined,
  { cwd }: Pick<AppContext, "cwd">,
): Promise<Rehearsal> {
  const { parseScript, startRehearsal } = await import("@bridle/rehearsal");
  const script = parseScript(await readText(file, cwd, "The script", "bridle rehearse"), file);
  try {
    return await startRehearsal({ script, ...omitUndefined({ port }) });
  } catch (cause) {
    const code = systemErrorCode(cause);
    const reason = code === "EADDRINUSE" ? "is in use" : `cannot be opened (${code})`;
    throw new ConfigError(`The port ${port} ${reason}. Name another after --port, or omit it.`, {
      field: "--port",
      cause,
    });
  }
}

/** A request to a rehearsal, with the reason if it was not answered. */
export interface ServedRequest {
  readonly request: RecordedRequest;
  readonly failure: RehearsalFailure | undefined;
}

/** Yields each request as it arrives, until the rehearsal is closed. */
export async function* servedRequests(rehearsal: Rehearsal): AsyncGenerator<ServedRequest> {
  for (;;) {
    const request = await rehearsal.nextRequest().catch(() => undefined);
    if (request === undefined) return;
    yield { request, failure: rehearsal.failures.find((each) => each.request === request) };
  }
}
