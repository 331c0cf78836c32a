import {
  AuthenticationError,
  type Backend,
  BudgetExceededError,
  NetworkError,
  UsageLimitError,
} from "@bridle/protocol";
import { expect, test } from "vitest";
import { bareConversation } from "./bare-conversation.ts";
import { probeCredentials } from "./probe-credentials.ts";

/** Probes a host with one turn that ends as `turn` does. Returns the status and how often the conversation was closed. */
async function probe(turn: () => Promise<{ reason: "natural" | "budget" }>, isAccepted?: (error: unknown) => boolean) {
  let closed = 0;
  const open: Backend["open"] = async () => ({
    promptContext: { implicitSources: [], hostAdds: [] },
    turn,
    close: async () => void closed++,
  });
  const parts = {
    host: "The host",
    mode: "session",
    spec: bareConversation("m"),
    signal: new AbortController().signal,
  };
  const status = await probeCredentials(open, { ...parts, isAccepted }).catch((error: unknown) => ({ error }));
  return { status, closed };
}

const failing = (error: Error) => () => Promise.reject(error);

test("credentials are accepted if a turn ends, whatever its end", async () => {
  for (const reason of ["natural", "budget"] as const) {
    const { status, closed } = await probe(async () => ({ reason }));
    expect(status).toMatchObject({ ok: true, mode: "session" });
    expect(closed).toBe(1);
  }
});

test("refused credentials give a status with a remedy", async () => {
  const { status, closed } = await probe(failing(new AuthenticationError("Not logged in. Run claude.")));
  expect(status).toEqual({ ok: false, mode: "session", detail: "Not logged in. Run claude." });
  expect(closed).toBe(1);
});

test("credentials are accepted if a window is used up", async () => {
  const { status } = await probe(failing(new UsageLimitError("The window is used up.")));
  expect(status).toMatchObject({ ok: true, detail: expect.stringContaining("used up") });
});

test("credentials are accepted if the answer is cut, or if the error comes after the host accepted them", async () => {
  expect((await probe(failing(new BudgetExceededError("Cut.")))).status).toMatchObject({ ok: true });
  const later = await probe(failing(new NetworkError("Later.")), (error) => error instanceof NetworkError);
  expect(later.status).toMatchObject({ ok: true });
});

test("an error that is not about credentials is thrown, and the conversation is closed", async () => {
  const error = new NetworkError("No network.");
  expect(await probe(failing(error))).toEqual({ status: { error }, closed: 1 });
});
