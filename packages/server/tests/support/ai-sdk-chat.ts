import { DefaultChatTransport, readUIMessageStream, type UIMessage, type UIMessageChunk } from "ai";
import { type DeskModel, startDesk } from "./protocol-desk.ts";

type Desk = Awaited<ReturnType<typeof startDesk>>;

/** Opens the transport of `useChat`, and builds messages as `useChat` does. */
export async function openChat(model: DeskModel = "rehearsal", given?: Desk) {
  const desk = given ?? (await startDesk(model));
  const transport = new DefaultChatTransport({
    api: `${desk.server.url}/ai-sdk/agents/agent/chat`,
    headers: { authorization: desk.authorization },
  });
  const messages: UIMessage[] = [];
  const chunks: UIMessageChunk[] = [];

  /** Reads a stream like `useChat`: into the last message, if that is an assistant message. */
  async function read(stream: ReadableStream<UIMessageChunk>, onChunk: () => void = () => {}): Promise<UIMessage> {
    const seen = stream.pipeThrough(
      new TransformStream({
        transform(chunk, controller) {
          chunks.push(chunk);
          controller.enqueue(chunk);
          onChunk();
        },
      }),
    );
    const last = messages.at(-1);
    const message = last?.role === "assistant" ? { message: last } : {};
    if (last?.role === "assistant") messages.pop();
    let whole: UIMessage | undefined;
    for await (const each of readUIMessageStream({ stream: seen, ...message, terminateOnError: false })) whole = each;
    if (whole === undefined) throw new Error("The stream had no message.");
    messages.push(whole);
    return whole;
  }

  async function send(body: object = {}, trigger: "submit-message" | "regenerate-message" = "submit-message") {
    const common = { chatId: "chat-1", messageId: undefined, abortSignal: undefined };
    return read(await transport.sendMessages({ ...common, trigger, messages, body }));
  }

  function say(text: string, trigger?: "regenerate-message") {
    messages.push({ id: `user-${messages.length}`, role: "user", parts: [{ type: "text", text }] });
    return send({}, trigger);
  }

  /** Answers the open question like `addToolApprovalResponse`. Returns the question's id. */
  function answer(approved: boolean, reason?: string): string {
    for (const part of messages.at(-1)?.parts ?? []) {
      if (part.type !== "dynamic-tool" || part.state !== "approval-requested") continue;
      Object.assign(part, { state: "approval-responded", approval: { ...part.approval, approved, reason } });
      return part.approval.id;
    }
    throw new Error("No question is open.");
  }

  const resume = () => transport.reconnectToStream({ chatId: "chat-1" });
  return { ...desk, desk, messages, chunks, say, send, answer, resume, read };
}

/** Returns the parts of a message without step starts. */
export function partsOf({ parts }: UIMessage) {
  return parts.filter(({ type }) => type !== "step-start");
}
