import type { ServedAgent } from "@bridle/app/serving";

/**
 * Describes an agent as AG-UI's `AgentCapabilities`. A client's `state`, `context`, `forwardedProps` and `tools` have no effect.
 */
export function agUiCapabilities({ name, description }: ServedAgent) {
  return {
    identity: { name, type: "bridle", ...(description !== undefined && { description }) },
    transport: { streaming: true, websocket: false, httpBinary: false, pushNotifications: false, resumable: false },
    tools: { supported: true, clientProvided: false },
    state: { snapshots: false, deltas: false, memory: true, persistentState: false },
    reasoning: { supported: true, streaming: true, encrypted: false },
    multimodal: { input: { image: true, audio: false, video: false, pdf: true, file: true } },
    humanInTheLoop: { supported: true, approvals: true, interrupts: true, approveWithEdits: true },
    custom: { bridle: { ignores: ["state", "context", "forwardedProps"] } },
  };
}
