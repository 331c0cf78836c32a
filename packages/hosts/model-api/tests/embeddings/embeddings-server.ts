/** Starts a loopback server that embeds like OpenAI's, and has faults that a rehearsal cannot play. */
import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { z } from "zod";

const bodySchema = z.strictObject({
  model: z.string(),
  input: z.array(z.string()).min(1),
  encoding_format: z.literal("float"),
  dimensions: z.int().optional(),
});

export interface EmbeddingRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: z.output<typeof bodySchema>;
}

type Reply =
  | { readonly status: number; readonly body: unknown; readonly headers?: Record<string, string> }
  /** No answer at all. */
  | "stall";

/** The reply to one request, by its number from 0; `undefined` for a good answer. */
export type Answering = (request: EmbeddingRequest, index: number) => Reply | undefined | Promise<Reply | undefined>;

export interface EmbeddingServer {
  readonly url: string;
  readonly requests: readonly EmbeddingRequest[];
  /** Returns the number of requests without a complete answer. */
  open(): number;
  close(): Promise<void>;
}

export async function startEmbeddingServer(answering: Answering = () => undefined): Promise<EmbeddingServer> {
  const requests: EmbeddingRequest[] = [];
  let open = 0;
  const server = createServer(async (incoming, response) => {
    open += 1;
    response.on("close", () => {
      open -= 1;
    });
    const body = bodySchema.safeParse(JSON.parse(await text(incoming)));
    if (!body.success) return send(response, { status: 400, body: { error: { message: body.error.message } } });
    const request = { path: incoming.url ?? "", headers: incoming.headers, body: body.data };
    requests.push(request);
    send(response, (await answering(request, requests.length - 1)) ?? { status: 200, body: goodAnswer(request) });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`,
    requests,
    open: () => open,
    async close() {
      if (!server.listening) return;
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

function send(response: ServerResponse, reply: Reply): void {
  if (reply === "stall") return;
  const isText = typeof reply.body === "string";
  response.writeHead(reply.status, { "content-type": isText ? "text/html" : "application/json", ...reply.headers });
  response.end(isText ? reply.body : JSON.stringify(reply.body));
}

/** Returns the server's answer without a fault. Each character is a token. */
export function goodAnswer({ body: { model, input, dimensions } }: EmbeddingRequest) {
  const tokens = input.join("").length;
  return {
    object: "list",
    model,
    data: input.map((value, index) => ({ object: "embedding", index, embedding: vectorFor(value, dimensions) })),
    usage: { prompt_tokens: tokens, total_tokens: tokens },
  };
}

/** Returns the vector of a text: unique to the text, always the same, and with numbers that 32 bits represent exactly. */
export function vectorFor(value: string, dimensions = 8): number[] {
  const digest = createHash("sha256").update(value).digest();
  return Array.from({ length: dimensions }, (_, index) => (digest[index % digest.length] ?? 0) / 256);
}
