import { ProtocolError, SdkError, SdkErrorCode, SdkHttpError, SseError } from "@modelcontextprotocol/client";

/**
 * Why a call failed: the server answered with an error, did not answer in time, was lost before it answered, could not be
 * reached, or refused access.
 */
export type CallFault = "answered" | "late" | "lost" | "unreached" | "refused";

/** Statuses of servers that do not know the session, for example after a restart. */
const unknownSessionStatuses = [400, 404];
const accessStatuses = [401, 403];

export function classifyMcpFault(error: unknown): CallFault {
  if (error instanceof ProtocolError) return "answered";
  if (error instanceof SdkHttpError && error.status !== undefined) return classifyStatus(error.status);
  if (error instanceof SseError && error.code !== undefined) return classifyStatus(error.code);
  if (error instanceof SdkError) return classifyCode(error.code);
  if (!(error instanceof Error)) return "answered";
  if (error.message === "Not connected" || causeCode(error) === "ECONNREFUSED") return "unreached";
  const status = /^Error POSTing to endpoint \(HTTP (\d+)\)/.exec(error.message)?.[1]; // the SSE transport has no error class
  if (status !== undefined) return classifyStatus(Number(status));
  return error instanceof TypeError ? "lost" : "answered"; // fetch has no other error class for a broken connection
}

function classifyStatus(status: number): CallFault {
  if (unknownSessionStatuses.includes(status)) return "unreached";
  return accessStatuses.includes(status) ? "refused" : "answered";
}

function classifyCode(code: string): CallFault {
  if (code === SdkErrorCode.RequestTimeout) return "late";
  if (code === SdkErrorCode.ConnectionClosed) return "lost";
  return code === SdkErrorCode.NotConnected || code === SdkErrorCode.SendFailed ? "unreached" : "answered";
}

/** Returns the system's error code of a connection. fetch keeps it in the cause. */
function causeCode({ cause }: Error): unknown {
  return cause instanceof Error && "code" in cause ? cause.code : undefined;
}
