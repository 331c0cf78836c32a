import { expect, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { providerPackages } from "./provider-packages.ts";

const installed: Readonly<Record<string, string>> = manifest.devDependencies;

test.each(["anthropic", "openai", "openai-compatible", "gateway", "vertex", "bedrock"] as const)(
  "the package of %s has its installed version",
  (id) => {
    const [[name = "", version] = [], ...others] = Object.entries(providerPackages(id));
    expect(others).toEqual([]);
    expect(name).toMatch(/^@ai-sdk\//);
    expect(version).toBe(installed[name]);
  },
);
