import { AuthenticationError, type Backend, NetworkError, UsageLimitError } from "@bridle/protocol";
import { expect, test } from "vitest";
import { probeAuth } from "./auth-check.ts";

/** Probes a host whose only turn has this end; returns the status and how often the conversation was closed. */
async function probe(turn: () => Promise<{ reason: "natural" | "budget" }>) {
  let closed = 0;
  const open: Backend["open"] = async () => ({
    promptContext: { implicitSources: [], hostAdds: [] },
    turn,
    close: async () => void closed++,
  });
  const status = await probeAuth(open, "session", new AbortController().signal).catch((error: unknown) => ({ error }));
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

test("an error that is not about credentials is thrown, and the conversation is closed", async () => {
  const error = new NetworkError("No network.");
  expect(await probe(failing(error))).toEqual({ status: { error }, closed: 1 });
});
