import { createEventRedaction, createRedactor, redactContent } from "@bridle/core";
import { cutText } from "@bridle/protocol";

/** Functions that read text of models, tools, hosts or files. */
const scanners: Readonly<Record<string, (text: string) => void>> = {
  "redact a text": (text) => void redactor.text(text),
  "redact known credentials": (text) => void redactor.known?.text(text),
  "redact a JSON value": (text) => void redactor.value({ text, list: [text.slice(0, 1000)] }),
  "redact stored content": (text) => void redactContent(text, redactor),
  "redact a stream": redactStream,
  "cut a result": (text) => void cutText(text, 40_000),
};

/** Ordinary text, and texts that begin the same pattern again and again. */
const families: Readonly<Record<string, string>> = {
  prose: "The quick brown fox jumps over the lazy dog, and then it rests. ",
  JSON: '{"id":12,"name":"a name\\n here","path":"a/b/c"},\n',
  "-eyJ": "-eyJ",
  "=": "=",
  quotes: '\\"',
  "%41": "%41",
  base64: "QUJDRA+/",
  braces: '{"a":',
  addresses: "a://b:",
};

const sizes = [0.1, 1, 10];
const redactor = createRedactor({ secrets: Array.from({ length: 40 }, (_, index) => `secret-value-${index * 7919}`) });

function redactStream(text: string): void {
  const redact = createEventRedaction(redactor);
  for (let at = 0; at < text.length; at += 200) redact("run", { type: "text.delta", text: text.slice(at, at + 200) });
}

/** CPU time per MB of every function that reads untrusted text. It should not grow with the size. */
export async function benchScanners(): Promise<void> {
  console.log("\nCPU time in ms per MB, for texts of 0.1, 1 and 10 MB");
  for (const [name, scan] of Object.entries(scanners)) {
    console.log(`\n  ${name}`);
    for (const [family, unit] of Object.entries(families)) {
      const row = sizes.map((size) => (measure(scan, unit, size) / size).toFixed(1).padStart(9));
      console.log(`    ${family.padEnd(12)}${row.join("")}`);
    }
  }
}

function measure(scan: (text: string) => void, unit: string, megabytes: number): number {
  const text = unit.repeat(Math.ceil((megabytes * 1_000_000) / unit.length));
  if (megabytes < 1) scan(text);
  const before = process.cpuUsage();
  scan(text);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
