import { ProtocolError, SdkError, SdkErrorCode, SdkHttpError, SseError } from "@modelcontextprotocol/client";

/**
 * What went wrong with a call: the server answered with an error, gave no answer in time, was lost before it answered,
 * was never reached, or did not let us in.
 */
export type Fault = "answered" | "late" | "lost" | "unreached" | "refused";

/** A session that a server does not know, which it may have forgotten in a restart. */
const unknownSession = [400, 404];
const notAllowed = [401, 403];

export function faultOf(error: unknown): Fault {
  if (error instanceof ProtocolError) return "answered";
  if (error instanceof SdkHttpError && error.status !== undefined) return faultOfStatus(error.status);
  if (error instanceof SseError && error.code !== undefined) return faultOfStatus(error.code);
  if (error instanceof SdkError) return faultOfCode(error.code);
  if (!(error instanceof Error)) return "answered";
  if (error.message === "Not connected" || codeOf(error) === "ECONNREFUSED") return "unreached";
  const status = /^Error POSTing to endpoint \(HTTP (\d+)\)/.exec(error.message)?.[1]; // the SSE transport has no class
  if (status !== undefined) return faultOfStatus(Number(status));
  return error instanceof TypeError ? "lost" : "answered"; // fetch has no other class for a broken connection
}

function faultOfStatus(status: number): Fault {
  if (unknownSession.includes(status)) return "unreached";
  return notAllowed.includes(status) ? "refused" : "answered";
}

function faultOfCode(code: string): Fault {
  if (code === SdkErrorCode.RequestTimeout) return "late";
  if (code === SdkErrorCode.ConnectionClosed) return "lost";
  return code === SdkErrorCode.NotConnected || code === SdkErrorCode.SendFailed ? "unreached" : "answered";
}

/** The system's word for what happened to a connection, which fetch keeps in a cause. */
function codeOf({ cause }: Error): unknown {
  return cause instanceof Error && "code" in cause ? cause.code : undefined;
}
