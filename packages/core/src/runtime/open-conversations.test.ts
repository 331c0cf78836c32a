import { expect, test, vi } from "vitest";
import { createOpenConversations } from "./open-conversations.ts";
import { createTestConversation } from "./runs-for-tests.ts";

test("conversations that are open when a backend closes are closed once, and closed ones are not closed again", async () => {
  const closes = [vi.fn(async () => {}), vi.fn(async () => {})] as const;
  const open = createOpenConversations();
  const [first] = closes.map((close) => open.track(createTestConversation(() => undefined, { close })));
  await first?.close();
  await open.close();
  await open.close();
  expect(closes.map(({ mock }) => mock.calls.length)).toEqual([1, 1]);
});

test("a conversation that cannot be closed is reported", async () => {
  const open = createOpenConversations();
  open.track(createTestConversation(() => undefined, { close: () => Promise.reject(new Error("stuck")) }));
  await expect(open.close()).rejects.toThrow("stuck");
});
