import type { McpSdkServerConfigWithInstance } from "@anthropic-ai/claude-agent-sdk";

interface Answer {
  id?: number;
  method?: string;
  result?: unknown;
}

/** Sends requests to a tool server in the protocol that the host uses. */
export async function connectToTools({ instance }: McpSdkServerConfigWithInstance) {
  const answers = new Map<number, (result: unknown) => void>();
  const notifications: string[] = [];
  let last = 0;
  const transport = {
    onmessage: undefined as undefined | ((message: unknown) => void),
    async start() {},
    async close() {},
    async send({ id, method, result }: Answer) {
      if (method !== undefined) notifications.push(method);
      else if (id !== undefined) answers.get(id)?.(result);
    },
  };
  Reflect.apply(instance.connect, instance, [transport]);
  await Promise.resolve();

  function request(method: string, params: object = {}): Promise<unknown> {
    last += 1;
    const answer = new Promise((resolve) => answers.set(last, resolve));
    transport.onmessage?.({ jsonrpc: "2.0", id: last, method, params });
    return answer;
  }
  return { request, notifications };
}
