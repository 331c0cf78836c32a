/** Formats server-sent events for protocols with JSON in every event. */

export const eventStreamType = "text/event-stream";

/** A comment that keeps proxies from closing a connection while a tool runs. */
const keepAlive = ": keep-alive\n\n";
const keepAliveMs = 15_000;

/** Formats an event with JSON. `name` is for clients that listen for named events. */
export function toServerSentEvent(data: unknown, name?: string): string {
  return `${name === undefined ? "" : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`;
}

/** Adds keep-alive comments while no texts arrive. */
export async function* withKeepAlive(texts: AsyncGenerator<string>, everyMs = keepAliveMs): AsyncGenerator<string> {
  try {
    for (let next = texts.next(); ; ) {
      const got = await nextWithin(next, everyMs);
      if (got === undefined) yield keepAlive;
      else if (got.done) return;
      else {
        yield got.value;
        next = texts.next();
      }
    }
  } finally {
    await texts.return(undefined);
  }
}

async function nextWithin<T>(next: Promise<T>, ms: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms);
  });
  try {
    return await Promise.race([next, late]);
  } finally {
    clearTimeout(timer);
  }
}
