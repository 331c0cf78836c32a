/** Runs as a SharedWorker. Browsers limit the number of connections to one server, so all tabs share one. */
import type { LiveMessage, ServerPlace, TabMessage } from "./live-messages.ts";
import { LiveStream } from "./live-stream.ts";
import { TabPlaces } from "./tab-places.ts";

const ports = new TabPlaces<MessagePort>();
let stream: LiveStream | undefined;
let approvals: LiveMessage | undefined;
let runs: LiveMessage | undefined;

addEventListener("connect", (event) => {
  const [port] = (event as MessageEvent).ports;
  if (port === undefined) return;
  port.onmessage = ({ data }: MessageEvent<TabMessage>) => receive(port, data);
});

function receive(port: MessagePort, message: TabMessage): void {
  if (message.type === "open") open(port, message.place);
  else if (message.type === "watch") ports.set(port, message.sessions);
  else ports.delete(port);
  stream?.watch(ports.places());
}

function open(port: MessagePort, place: ServerPlace): void {
  ports.set(port, {});
  if (stream === undefined || stream.state.kind === "forbidden") {
    stream?.end();
    stream = new LiveStream(place, spread);
  }
  port.postMessage({ type: "state", state: stream.state } satisfies LiveMessage);
  for (const known of [approvals, runs]) if (known) port.postMessage(known);
}

function spread(message: LiveMessage): void {
  if (message.type === "approvals") approvals = message;
  if (message.type === "runs") runs = message;
  if (message.type === "events")
    ports.reach(message.session, message.events[0]?.seq ?? 0, message.events.at(-1)?.seq ?? 0);
  if (message.type === "lost") ports.drop(message.sessions);
  for (const port of ports.tabs()) {
    if (message.type !== "events" || ports.watches(port, message.session)) port.postMessage(message);
  }
}
