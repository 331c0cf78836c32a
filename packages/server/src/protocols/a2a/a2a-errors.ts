/** Formats errors for JSON-RPC and A2A. */

interface RpcProblem {
  readonly status: number;
  readonly code: string;
  readonly message: string;
}

/** A2A error codes, by Bridle's problem codes. */
const codes: Readonly<Record<string, readonly [number, string]>> = {
  "bad-json": [-32700, "PARSE_ERROR"],
  "no-such-method": [-32601, "METHOD_NOT_FOUND"],
  "no-such-task": [-32001, "TASK_NOT_FOUND"],
  "task-not-cancelable": [-32002, "TASK_NOT_CANCELABLE"],
  "no-push-notifications": [-32003, "PUSH_NOTIFICATION_NOT_SUPPORTED"],
  "unsupported-operation": [-32004, "UNSUPPORTED_OPERATION"],
  "unsupported-file": [-32005, "CONTENT_TYPE_NOT_SUPPORTED"],
  "unsupported-output": [-32005, "CONTENT_TYPE_NOT_SUPPORTED"],
  "remote-file": [-32005, "CONTENT_TYPE_NOT_SUPPORTED"],
  "version-not-supported": [-32009, "VERSION_NOT_SUPPORTED"],
};

const own: ReadonlySet<string> = new Set(Object.values(codes).map(([, reason]) => reason));

/** Creates the response to a rejected request. `metadata.code` is Bridle's own code. */
export function toRpcError(id: string | number | null, { status, code, message }: RpcProblem) {
  const [number, reason] = codes[code] ?? generalCode(status);
  const domain = own.has(reason) && number > -32100 ? "a2a-protocol.org" : "bridle";
  const info = { "@type": "type.googleapis.com/google.rpc.ErrorInfo", reason, domain, metadata: { code } };
  return { jsonrpc: "2.0", id, error: { code: number, message, data: [info] } } as const;
}

function generalCode(status: number): readonly [number, string] {
  if (status === 400 || status === 404 || status === 422) return [-32602, "INVALID_PARAMS"];
  if (status === 500) return [-32603, "INTERNAL_ERROR"];
  return [-32000, "REFUSED"];
}
