import { type AgentSubscriber, HttpAgent } from "@ag-ui/client";
import { EventSchemas } from "@ag-ui/core/schemas";
import { type DeskModel, startDesk } from "./protocol-desk.ts";

type Desk = Awaited<ReturnType<typeof startDesk>>;

/** Opens the official AG-UI client on a thread. Every event is validated with the protocol's own schema. */
export async function openThread(model: DeskModel = "rehearsal", given?: Desk) {
  const desk = given ?? (await startDesk(model));
  const agent = new HttpAgent({
    url: `${desk.server.url}/ag-ui/agents/agent`,
    headers: { authorization: desk.authorization },
    threadId: "thread-1",
  });
  const events: { type: string; [field: string]: unknown }[] = [];
  const subscriber: AgentSubscriber = {
    onEvent({ event }) {
      events.push(EventSchemas.parse(event));
    },
  };
  agent.subscribe(subscriber);
  const say = (content: string) => {
    agent.addMessage({ id: `user-${agent.messages.length}`, role: "user", content });
    return agent.runAgent();
  };
  /** Answers the only open question. */
  const answer = (payload: Record<string, unknown>) =>
    agent.runAgent({
      resume: agent.pendingInterrupts.map(({ id }) => ({ interruptId: id, status: "resolved", payload })),
    });
  return { ...desk, desk, agent, events, say, answer };
}
