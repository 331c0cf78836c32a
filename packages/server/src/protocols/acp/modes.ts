/** The modes of a session. A mode controls the questions before a tool runs. */
import { RequestError, type SessionMode, type SessionModeState } from "@agentclientprotocol/sdk";
import { suggestion } from "@bridle/protocol";

const modes = {
  "as-configured": { name: "As configured", description: "The rules in bridle.yaml and in the agent file" },
  "read-only": { name: "Read only", description: "Denies every tool that may change something" },
  ask: { name: "Ask", description: "Asks about every call" },
  normal: { name: "Normal", description: "Asks if a rule requires it" },
  auto: { name: "Auto", description: "Allows calls that are not denied or destructive, and need no approval" },
  yolo: { name: "Yolo", description: "Allows everything that is not denied" },
} as const;

/** A session's mode. `as-configured` leaves the mode to the files. */
export type SessionModeName = keyof typeof modes;

/** Describes the modes. `yolo` is offered only if the user started the process with it, because one click must not allow everything. */
export function describeModes(current: SessionModeName, first: SessionModeName): SessionModeState {
  const ids = modeNames(first);
  return { currentModeId: current, availableModes: ids.map((id): SessionMode => ({ id, ...modes[id] })) };
}

/** Parses a mode. Throws RequestError if it does not exist. */
export function parseMode(id: string, first: SessionModeName): SessionModeName {
  const ids = modeNames(first);
  const mode = ids.find((each) => each === id);
  if (mode !== undefined) return mode;
  throw RequestError.invalidParams(
    undefined,
    `There is no mode "${id}".${suggestion(id, ids)} Known: ${ids.join(", ")}.`,
  );
}

function modeNames(first: SessionModeName): SessionModeName[] {
  const all: SessionModeName[] = ["as-configured", "read-only", "ask", "normal", "auto", "yolo"];
  return all.filter((id) => id !== "yolo" || first === "yolo");
}

/** Returns the mode for a run; `undefined` if the files set it. */
export function runMode(mode: SessionModeName): Exclude<SessionModeName, "as-configured"> | undefined {
  return mode === "as-configured" ? undefined : mode;
}
