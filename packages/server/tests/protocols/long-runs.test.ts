import { expect, test, vi } from "vitest";
import { startDesk } from "../support/protocol-desk.ts";
import { startApi } from "../support/start-api.ts";

/** Finds the reads of the spied log that have no limit, and so load a whole run or session. */
function wholeReads(read: { readonly mock: { readonly calls: readonly (readonly unknown[])[] } }) {
  return read.mock.calls.filter(
    ([query]) => typeof query === "object" && query && !("limit" in query || "last" in query),
  );
}

test("a response of OpenAI's API is read in pages, however long its run was", async () => {
  const { server, workspace } = await startDesk();
  const json = { model: "agent", input: "What time is it?" };
  const created = await (await server.fetch("/openai/v1/responses", { method: "POST", json })).text();
  const id = /resp_[\w.-]+/.exec(created)?.[0];
  const read = vi.spyOn(workspace.eventLog, "read");
  const found = await server.fetch(`/openai/v1/responses/${id}`);
  expect(await found.text()).toContain("It is noon.");
  expect(read).toHaveBeenCalled();
  expect(wholeReads(read)).toEqual([]);
});

test("the steps of a session are counted in pages before it is forked", async () => {
  const api = await startApi();
  await api.run("one", "Hi.");
  const read = vi.spyOn(api.workspace.eventLog, "read");
  expect(await api.post("/sessions/one/fork", { atStep: 7 })).toMatchObject({ status: 422 });
  expect(read).toHaveBeenCalled();
  expect(wholeReads(read)).toEqual([]);
});
