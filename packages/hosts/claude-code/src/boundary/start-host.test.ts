import { randomUUID } from "node:crypto";
import { expect, test, vi } from "vitest";
import { rewindHost } from "./start-host.ts";

const message = randomUUID();
const done = { rewound: true, targetMessageUuid: message, precedingAssistantUuid: null };
const hostThat = (request: () => unknown) => ({ request: vi.fn(async () => request()) });

test("a host that says it went back to before our message has", async () => {
  const host = hostThat(() => ({ subtype: "success", response: done }));
  expect(await rewindHost(host, [message])).toBe(true);
  expect(host.request).toHaveBeenCalledExactlyOnceWith({
    subtype: "rewind_conversation",
    target_message_uuid: message,
  });
});

test.each([
  ["it went back to another message", { response: { ...done, targetMessageUuid: randomUUID() } }],
  ["something is left before the message", { response: { ...done, precedingAssistantUuid: randomUUID() } }],
  ["it did not go back", { response: { ...done, rewound: false } }],
  ["it only nearly says so", { response: { ...done, rewound: "true" } }],
  ["it does not say what is left", { response: { rewound: true, targetMessageUuid: message } }],
  ["it says nothing", undefined],
])("a host is not taken at its word when %s", async (_case, answer) => {
  const host = hostThat(() => answer);
  expect(await rewindHost(host, [message])).toBe(false);
});

test("a host that refuses, fails, cannot be asked or does not answer has not gone back", async () => {
  const refusing = hostThat(() => {
    throw new Error("No message with that id");
  });
  const silent = { request: () => new Promise(() => {}) };
  expect(await rewindHost(refusing, [message])).toBe(false);
  expect(await rewindHost({}, [message])).toBe(false);
  expect(await rewindHost({ request: "no function" }, [message])).toBe(false);
  expect(await rewindHost(silent, [message], 20)).toBe(false);
});

test("several messages are taken back one at a time, the newest first, and the first has to succeed too", async () => {
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
