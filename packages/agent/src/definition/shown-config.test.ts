// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is how the file refers to the environment
import { expect, test } from "vitest";
import { toolKinds } from "../tool-kinds/registry.ts";
import { shownConfig } from "./shown-config.ts";

const limits = { transport: "stdio", timeout: 60, request_timeout: 60 } as const;

test("the shown configuration has references for values from the environment, and no credentials of the file", () => {
  const shown = shownConfig({
    toolKinds,
    config: {
      name: "desk",
      description: "The desk of Example Ltd",
      instructions: { inline: "Be kind." },
      model: { provider: "openai", name: "m", endpoint: "http://x.example", api_key: "typed-key-1" },
      tools: [
        {
          type: "mcp",
          name: "shop",
          command: "shop",
          ...limits,
          env: { MODE: "test", SHOP_TOKEN: "typed-2", OTHER_KEY: "from outside" },
        },
        { type: "mcp", name: "remote", url: "https://ada:typed-3@mcp.example", ...limits, transport: "http" },
      ],
    },
    sources: {
      positions: {},
      absent: {},
      written: {
        description: "The desk of ${COMPANY}",
        "model.endpoint": "${ENDPOINT}",
        "tools.0.env.OTHER_KEY": "${OTHER_KEY}",
      },
    },
  });
  expect(shown).toEqual({
    name: "desk",
    description: "The desk of ${COMPANY}",
    instructions: { inline: "Be kind." },
    model: { provider: "openai", name: "m", endpoint: "${ENDPOINT}" },
    tools: [
      { type: "mcp", name: "shop", command: "shop", ...limits, env: { MODE: "test", OTHER_KEY: "${OTHER_KEY}" } },
      { type: "mcp", name: "remote", ...limits, transport: "http" },
    ],
  });
});
