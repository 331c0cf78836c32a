import { isLegacyRequest } from "@modelcontextprotocol/server";
import type { Caller } from "../caller.ts";
import type { HttpCallers } from "./http-callers.ts";

/** A response that is not sent yet. */
export interface McpAnswer {
  readonly response: Response;
  /** Call it when the response was sent, or the client has disconnected. */
  done(): Promise<void>;
}

/** Finds the session of a request, and answers the request, whose names, token and size the caller has already checked. */
export class McpDispatcher {
  readonly #callers: HttpCallers;
  readonly #messageBytes: number;

  constructor(callers: HttpCallers, { messageBytes }: { readonly messageBytes: number }) {
    this.#callers = callers;
    this.#messageBytes = messageBytes;
  }

  /** `body` is the body of the request, as bytes. */
  async answer(caller: Caller, request: Request, body: Buffer): Promise<McpAnswer> {
    if (!(await isLegacyRequest(request.clone(), undefined, { maxRequestBodySize: this.#messageBytes }))) {
      return { response: await this.#callers.answerModern(caller, request), done: async () => {} };
    }
    const { session, refusal } = await this.#callers.findSession(caller, request, body);
    if (session === undefined) return { response: toRefusal(refusal.status, refusal.message), done: async () => {} };
    const { response, done } = await session.answer(request);
    return {
      response,
      async done() {
        done();
        if (!session.isInitialized) await session.close();
      },
    };
  }

  /** Ends every session. */
  close(): Promise<void> {
    return this.#callers.close();
  }
}

/** Formats a refusal as the protocol requires: an error without a request. */
function toRefusal(status: number, message: string): Response {
  return Response.json({ jsonrpc: "2.0", error: { code: -32_000, message }, id: null }, { status });
}
