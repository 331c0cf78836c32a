import { randomUUID } from "node:crypto";
import { expect, test, vi } from "vitest";
import { rewindHost } from "./start-host.ts";

const message = randomUUID();
const done = { rewound: true, targetMessageUuid: message, precedingAssistantUuid: null };
const hostThat = (request: () => unknown) => ({ request: vi.fn(async () => request()) });

test("a rewind succeeds if the host confirms it", async () => {
  const host = hostThat(() => ({ subtype: "success", response: done }));
  expect(await rewindHost(host, [message])).toBe(true);
  expect(host.request).toHaveBeenCalledExactlyOnceWith({
    subtype: "rewind_conversation",
    target_message_uuid: message,
  });
});

test.each([
  ["it went back to another message", { response: { ...done, targetMessageUuid: randomUUID() } }],
  ["a message remains before it", { response: { ...done, precedingAssistantUuid: randomUUID() } }],
  ["it did not go back", { response: { ...done, rewound: false } }],
  ["it almost confirms it", { response: { ...done, rewound: "true" } }],
  ["it does not report the remaining messages", { response: { rewound: true, targetMessageUuid: message } }],
  ["it returns nothing", undefined],
])("a rewind fails if %s", async (_case, answer) => {
  const host = hostThat(() => answer);
  expect(await rewindHost(host, [message])).toBe(false);
});

test("a rewind fails if the host refuses, throws, has no such request or does not answer", async () => {
  const refusing = hostThat(() => {
    throw new Error("No message with that id");
  });
  const silent = { request: () => new Promise(() => {}) };
  expect(await rewindHost(refusing, [message])).toBe(false);
  expect(await rewindHost({}, [message])).toBe(false);
  expect(await rewindHost({ request: "no function" }, [message])).toBe(false);
  expect(await rewindHost(silent, [message], 20)).toBe(false);
});

test("several messages are rewound one at a time, newest first, and each must succeed", async () => {
  const [first, second] = [randomUUID(), randomUUID()];
  const asked: unknown[] = [];
  const hostOf = (atLast: boolean) => ({
    async request({ target_message_uuid: target }: { target_message_uuid: string }) {
      asked.push(target);
      const preceding = target === first ? null : randomUUID();
      const rewound = target === second || atLast;
      return { response: { rewound, targetMessageUuid: target, precedingAssistantUuid: preceding } };
    },
  });
  expect(await rewindHost(hostOf(true), [first, second])).toBe(true);
  expect(asked).toEqual([second, first]);
  expect(await rewindHost(hostOf(false), [first, second])).toBe(false);
});
